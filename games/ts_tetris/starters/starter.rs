// "TS테트리스", SWEA 23011
use std::io::Read;

// Your solution. A case begins with init. A player is 1 or 2.
struct Game {
}

impl Game {
    fn init(width: usize, height: usize) -> Game {
        Game {}
    }

    // The points of this turn.
    fn drop_blocks(&mut self, player: i32, column: usize) -> i32 {
        0
    }

    // The points of this turn.
    fn change_blocks(&mut self, player: i32, column: usize) -> i32 {
        0
    }

    // The winner, 0 if there is none, and how many cells of player 1 and of player 2 are left.
    fn get_result(&self) -> (i32, usize, usize) {
        (0, 0, 0)
    }
}

// The rest reads the input and prints the answer.
fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).unwrap();
    let mut numbers = input.split_whitespace().map(|word| word.parse::<usize>().unwrap());
    let mut number = || numbers.next().unwrap();
    let mut out = String::new();
    for _ in 0..number() {
        let commands = number();
        number(); // 100: init comes first
        let mut game = Game::init(number(), number());
        for _ in 1..commands {
            match number() {
                200 => out += &format!("{}\n", game.drop_blocks(number() as i32, number())),
                300 => out += &format!("{}\n", game.change_blocks(number() as i32, number())),
                _ => {
                    let (winner, first, second) = game.get_result();
                    out += &format!("{} {} {}\n", winner, first, second);
                }
            }
        }
    }
    print!("{}", out);
}
