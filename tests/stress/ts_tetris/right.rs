// Cells in one array with a border, row 0 at the bottom; a turn looks for runs again until there is none.
use std::collections::BTreeSet;
use std::fmt::Write;
use std::io::{self, Read};

#[derive(Default)]
struct Game {
    stride: usize,
    cells: Vec<u8>, // 0 empty, 1 and 2 players, 3 border
    score: [usize; 3],
}

impl Game {
    fn new(width: usize, height: usize) -> Game {
        let stride = width + 2;
        let mut cells = vec![3; stride * (height + 2)];
        for row in 1..=height {
            cells[row * stride + 1..row * stride + 1 + width].fill(0);
        }
        Game { stride, cells, score: [0; 3] }
    }

    fn drop_blocks(&mut self, player: u8, column: usize) -> usize {
        for c in column + 1..column + 4 {
            let place = (c + self.stride..).step_by(self.stride).find(|&at| self.cells[at] == 0).unwrap();
            self.cells[place] = player;
        }
        self.settle(player)
    }

    fn change_blocks(&mut self, player: u8, column: usize) -> usize {
        let mut todo = vec![self.stride + column + 1];
        while let Some(at) = todo.pop() {
            if self.cells[at] == 3 - player {
                self.cells[at] = player;
                todo.extend([at - 1, at + 1, at - self.stride, at + self.stride]);
            }
        }
        self.settle(player)
    }

    fn runs(&self) -> BTreeSet<usize> {
        let mut gone = BTreeSet::new();
        for at in (0..self.cells.len()).filter(|&at| matches!(self.cells[at], 1 | 2)) {
            for step in [1, self.stride - 1, self.stride, self.stride + 1] {
                let same = |i: &usize| self.cells[*i] == self.cells[at];
                if !same(&(at - step)) {
                    let run: Vec<usize> = (at..).step_by(step).take_while(same).collect();
                    if run.len() >= 5 {
                        gone.extend(run);
                    }
                }
            }
        }
        gone
    }

    fn settle(&mut self, player: u8) -> usize {
        let mut points = 0;
        loop {
            let gone = self.runs();
            if gone.is_empty() {
                self.score[player as usize] += points;
                return points;
            }
            // From the top, so that what falls never moves a cell that is still to go.
            for &at in gone.iter().rev() {
                points += usize::from(self.cells[at] == player);
                let mut to = at;
                while self.cells[to] == 1 || self.cells[to] == 2 {
                    let above = self.cells[to + self.stride];
                    self.cells[to] = if above == 3 { 0 } else { above };
                    to += self.stride;
                }
            }
        }
    }

    fn result(&self) -> (usize, usize, usize) {
        let count = |player| self.cells.iter().filter(|&&cell| cell == player).count();
        let winner = match self.score[1].cmp(&self.score[2]) {
            std::cmp::Ordering::Greater => 1,
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 0,
        };
        (winner, count(1), count(2))
    }
}

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<usize>().unwrap());
    let mut next = || numbers.next().unwrap();
    let mut out = String::new();
    for _ in 0..next() {
        let mut game = Game::default();
        for _ in 0..next() {
            match next() {
                100 => game = Game::new(next(), next()),
                200 => writeln!(out, "{}", game.drop_blocks(next() as u8, next())).unwrap(),
                300 => writeln!(out, "{}", game.change_blocks(next() as u8, next())).unwrap(),
                _ => {
                    let (winner, first, second) = game.result();
                    writeln!(out, "{winner} {first} {second}").unwrap();
                }
            }
        }
    }
    print!("{out}");
}
