// Reads games until the end of the input. A stack is a linked list: each piece knows what lies on it.
use std::io::{self, Read};

const BLUE: u8 = 2;
const RED: u8 = 1;

struct Game {
    width: usize, // of the board with a blue border
    colour: Vec<u8>,
    bottom: Vec<Option<usize>>, // the lowest piece of each cell
    above: Vec<Option<usize>>,
    place: Vec<usize>,
    facing: Vec<usize>,
}

impl Game {
    fn read(numbers: &mut impl Iterator<Item = usize>) -> Option<Game> {
        let n = numbers.next()?;
        let pieces = numbers.next()?;
        let width = n + 2;
        let mut game = Game {
            width,
            colour: vec![BLUE; width * width],
            bottom: vec![None; width * width],
            above: vec![None; pieces],
            place: vec![0; pieces],
            facing: vec![0; pieces],
        };
        for r in 1..=n {
            for c in 1..=n {
                game.colour[r * width + c] = numbers.next()? as u8;
            }
        }
        for piece in 0..pieces {
            let place = numbers.next()? * width + numbers.next()?;
            game.place[piece] = place;
            game.facing[piece] = numbers.next()? - 1;
            game.bottom[place] = Some(piece);
        }
        Some(game)
    }

    fn ahead(&self, piece: usize) -> usize {
        let place = self.place[piece];
        match self.facing[piece] {
            0 => place + 1,
            1 => place - 1,
            2 => place - self.width,
            _ => place + self.width,
        }
    }

    fn stack_from(&self, first: Option<usize>) -> Vec<usize> {
        std::iter::successors(first, |&piece| self.above[piece]).collect()
    }

    /// Whether the game ends.
    fn step(&mut self, piece: usize) -> bool {
        if self.colour[self.ahead(piece)] == BLUE {
            self.facing[piece] ^= 1;
        }
        let to = self.ahead(piece);
        if self.colour[to] == BLUE {
            return false;
        }
        let from = self.place[piece];
        let below = self.stack_from(self.bottom[from]).into_iter().take_while(|&each| each != piece).last();
        match below {
            Some(other) => self.above[other] = None,
            None => self.bottom[from] = None,
        }
        let mut moved = self.stack_from(Some(piece));
        if self.colour[to] == RED {
            moved.reverse();
        }
        let mut all = self.stack_from(self.bottom[to]);
        all.extend(&moved);
        moved.iter().for_each(|&each| self.place[each] = to);
        self.bottom[to] = all.first().copied();
        for (i, &each) in all.iter().enumerate() {
            self.above[each] = all.get(i + 1).copied();
        }
        all.len() >= 4
    }

    fn play(mut self) -> i32 {
        for turn in 1..=1000 {
            if (0..self.place.len()).any(|piece| self.step(piece)) {
                return turn;
            }
        }
        -1
    }
}

fn main() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse().unwrap());
    while let Some(game) = Game::read(&mut numbers) {
        println!("{}", game.play());
    }
}
