// BOJ 17837
use std::io::Read;

// Your solution: the turn that ends the game, or -1. board[row][column]: 0 white, 1 red, 2 blue. pieces[i]: row, column
// and direction, as in the text; rows and columns count from 1.
fn solution(board: Vec<Vec<i32>>, mut pieces: Vec<Vec<i32>>) -> i32 {
    0
}

// The rest reads the input and prints the answer.
fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut numbers = input.split_whitespace().map(|word| word.parse::<i32>().unwrap());
    while let Some(n) = numbers.next() {
        let k = numbers.next().unwrap();
        let board = (0..n).map(|_| (0..n).map(|_| numbers.next().unwrap()).collect()).collect();
        let pieces = (0..k).map(|_| (0..3).map(|_| numbers.next().unwrap()).collect()).collect();
        println!("{}", solution(board, pieces));
    }
}
