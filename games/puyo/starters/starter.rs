// BOJ 11559
use std::io::Read;

// Your solution: the number of chains. field[row][column], the top row first: '.', 'R', 'G', 'B', 'P' or 'Y'.
fn solution(mut field: Vec<Vec<char>>) -> i32 {
    0
}

// The rest reads the input and prints the answer.
fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let rows: Vec<Vec<char>> = input.split_whitespace().map(|row| row.chars().collect()).collect();
    for field in rows.chunks(12) {
        println!("{}", solution(field.to_vec()));
    }
}
