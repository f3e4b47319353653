struct Game {
    size: (usize, usize),
}

impl Game {
    fn init(width: usize, height: usize) -> Game {
        Game { size: (width, height) }
    }

    fn drop_blocks(&mut self, player: i32, column: usize) -> String {
        format!("200 {} {}", player, column)
    }

    fn change_blocks(&mut self, player: i32, column: usize) -> String {
        format!("300 {} {}", player, column)
    }

    fn get_result(&self) -> (i32, usize, usize) {
        (400, self.size.0, self.size.1)
    }
}
