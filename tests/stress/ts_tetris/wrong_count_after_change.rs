// The numbers of cells left are kept up to date, but not where cells change hands.
use std::io::{self, BufRead};

struct Board {
    h: usize,
    rows: Vec<Vec<u8>>, // row 0 is the highest
    score: [i32; 3],
    remain: [i32; 3],
}

const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Board {
    fn get(&self, r: i32, c: i32) -> u8 {
        if r < 0 || c < 0 {
            return 0;
        }
        *self.rows.get(r as usize).and_then(|row| row.get(c as usize)).unwrap_or(&0)
    }

    fn land(&mut self, c: usize, player: u8) {
        let r = (0..self.h).rev().find(|&r| self.rows[r][c] == 0).expect("room");
        self.rows[r][c] = player;
        self.remain[player as usize] += 1;
    }

    fn flip(&mut self, r: i32, c: i32, player: u8) {
        if self.get(r, c) != 3 - player {
            return;
        }
        self.rows[r as usize][c as usize] = player;
        for (dr, dc) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            self.flip(r + dr, c + dc, player);
        }
    }

    fn pop(&mut self, player: u8) -> i32 {
        let (h, w) = (self.h as i32, self.rows[0].len() as i32);
        let mut marks = vec![];
        for r in 0..h {
            for c in 0..w {
                let cell = self.get(r, c);
                for (dr, dc) in DIRECTIONS {
                    let run: Vec<_> = (0..).map(|i| (r + i * dr, c + i * dc)).take_while(|&(y, x)| self.get(y, x) == cell && cell != 0).collect();
                    if run.len() > 4 {
                        marks.extend(run);
                    }
                }
            }
        }
        if marks.is_empty() {
            return 0;
        }
        marks.sort();
        marks.dedup();
        let mut points = 0;
        // From the highest row: each removal moves what lies above down by one.
        for (r, c) in marks {
            let (r, c) = (r as usize, c as usize);
            let owner = self.rows[r][c];
            self.remain[owner as usize] -= 1;
            points += (owner == player) as i32;
            for y in (1..=r).rev() {
                self.rows[y][c] = self.rows[y - 1][c];
            }
            self.rows[0][c] = 0;
        }
        points + self.pop(player)
    }
}

fn main() {
    let stdin = io::stdin();
    let mut lines = stdin.lock().lines().map(|l| l.unwrap());
    let t: usize = lines.next().unwrap().trim().parse().unwrap();
    for _ in 0..t {
        let q: usize = lines.next().unwrap().trim().parse().unwrap();
        let mut b = Board { h: 0, rows: vec![], score: [0; 3], remain: [0; 3] };
        for _ in 0..q {
            let call: Vec<usize> = lines.next().unwrap().split_whitespace().map(|x| x.parse().unwrap()).collect();
            if call[0] == 100 {
                b.h = call[2];
                b.rows = vec![vec![0; call[1]]; call[2]];
                continue;
            }
            if call[0] == 400 {
                let winner = if b.score[1] == b.score[2] { 0 } else if b.score[1] > b.score[2] { 1 } else { 2 };
                println!("{} {} {}", winner, b.remain[1], b.remain[2]);
                continue;
            }
            let player = call[1] as u8;
            if call[0] == 200 {
                for c in call[2]..call[2] + 3 {
                    b.land(c, player);
                }
            } else {
                b.flip(b.h as i32 - 1, call[2] as i32, player);
            }
            let points = b.pop(player);
            b.score[player as usize] += points;
            println!("{points}");
        }
    }
}
