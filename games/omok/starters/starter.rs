// BOJ 2615
use std::io::Read;

// Your solution: who has won, and the row and column of the winning stone as in the text, which count from 1; (0, 0, 0)
// if nobody has. board[row][column]: 0 empty, 1 black, 2 white.
fn solution(board: Vec<Vec<i32>>) -> (i32, usize, usize) {
    (0, 0, 0)
}

// The rest reads the input and prints the answer.
fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let numbers: Vec<i32> = input.split_whitespace().map(|word| word.parse().unwrap()).collect();
    for board in numbers.chunks(19 * 19) {
        let (colour, row, column) = solution(board.chunks(19).map(|row| row.to_vec()).collect());
        println!("{}", colour);
        if colour != 0 {
            println!("{} {}", row, column);
        }
    }
}
