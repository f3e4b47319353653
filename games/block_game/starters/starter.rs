// "블록 게임"
use std::io::Read;

// Your solution: how many blocks can be removed. board[row][column], the top row first: 0 or the number of a block.
fn solution(mut board: Vec<Vec<i32>>) -> i32 {
    0
}

// The rest reads the input and prints the answer.
fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut numbers = input.split_whitespace().map(|word| word.parse::<i32>().unwrap());
    while let Some(n) = numbers.next() {
        let board = (0..n).map(|_| (0..n).map(|_| numbers.next().unwrap()).collect()).collect();
        println!("{}", solution(board));
    }
}
