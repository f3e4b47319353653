// Reads N and then N rows, until the end of the input. Per block, the gaps of its rectangle are cells that must lie
// above the highest occupied cell of their column.
use std::collections::BTreeMap;
use std::io::{self, Read};

fn solution(mut board: Vec<Vec<u32>>) -> usize {
    let n = board.len();
    let mut removed = 0;
    loop {
        let skyline: Vec<usize> =
            (0..n).map(|c| (0..n).find(|&r| board[r][c] != 0).unwrap_or(n)).collect();
        let mut blocks: BTreeMap<u32, Vec<(usize, usize)>> = BTreeMap::new();
        for (r, row) in board.iter().enumerate() {
            for (c, &number) in row.iter().enumerate().filter(|(_, &number)| number != 0) {
                blocks.entry(number).or_default().push((r, c));
            }
        }
        let before = removed;
        for cells in blocks.values() {
            let rows = || cells.iter().map(|cell| cell.0);
            let columns = || cells.iter().map(|cell| cell.1);
            let open = (rows().min().unwrap()..=rows().max().unwrap()).all(|r| {
                (columns().min().unwrap()..=columns().max().unwrap())
                    .all(|c| cells.contains(&(r, c)) || r < skyline[c])
            });
            if open {
                cells.iter().for_each(|&(r, c)| board[r][c] = 0);
                removed += 1;
            }
        }
        if removed == before {
            return removed;
        }
    }
}

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<u32>().unwrap());
    while let Some(n) = numbers.next() {
        let n = n as usize;
        let board = (0..n).map(|_| numbers.by_ref().take(n).collect()).collect();
        println!("{}", solution(board));
    }
}
