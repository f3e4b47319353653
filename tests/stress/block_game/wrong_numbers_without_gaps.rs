// Takes k blocks to have the numbers 1 to k.
use std::collections::HashSet;
use std::io::{stdin, BufRead};

struct Board {
    cells: Vec<Vec<usize>>,
}

impl Board {
    fn cells_of(&self, id: usize) -> Vec<(usize, usize)> {
        let n = self.cells.len();
        (0..n * n).map(|i| (i / n, i % n)).filter(|&(r, c)| self.cells[r][c] == id).collect()
    }

    fn removable(&self, id: usize, cells: &[(usize, usize)]) -> bool {
        let top = cells.iter().map(|c| c.0).min().unwrap();
        let bottom = cells.iter().map(|c| c.0).max().unwrap();
        let left = cells.iter().map(|c| c.1).min().unwrap();
        let right = cells.iter().map(|c| c.1).max().unwrap();
        for r in top..=bottom {
            for c in left..=right {
                if self.cells[r][c] != id && (0..=r).any(|up| self.cells[up][c] != 0) {
                    return false;
                }
            }
        }
        true
    }
}

fn main() {
    let mut lines = stdin().lock().lines().map(|line| line.unwrap());
    let n: usize = lines.next().unwrap().trim().parse().unwrap();
    let cells: Vec<Vec<usize>> = lines
        .take(n)
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect())
        .collect();
    let count = cells.iter().flatten().filter(|&&id| id != 0).collect::<HashSet<_>>().len();
    let mut board = Board { cells };
    let mut left: Vec<usize> = (1..=count).collect();
    let mut answer = 0;
    loop {
        let mut rest = Vec::new();
        for &id in &left {
            let cells = board.cells_of(id);
            if cells.is_empty() {
                continue;
            }
            if board.removable(id, &cells) {
                for (r, c) in cells {
                    board.cells[r][c] = 0;
                }
                answer += 1;
            } else {
                rest.push(id);
            }
        }
        if rest.len() == left.len() {
            break;
        }
        left = rest;
    }
    println!("{answer}");
}
