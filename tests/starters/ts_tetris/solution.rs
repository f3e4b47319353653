struct Game {
    columns: Vec<Vec<i32>>,
    scores: [i32; 3],
}

impl Game {
    fn init(width: usize, _height: usize) -> Game {
        Game { columns: vec![Vec::new(); width], scores: [0; 3] }
    }

    fn at(&self, c: i32, h: i32) -> i32 {
        if c < 0 || h < 0 {
            return 0;
        }
        *self.columns.get(c as usize).and_then(|column| column.get(h as usize)).unwrap_or(&0)
    }

    fn runs(&self) -> std::collections::HashSet<(i32, i32)> {
        let mut gone = std::collections::HashSet::new();
        for c in 0..self.columns.len() as i32 {
            for h in 0..self.columns[c as usize].len() as i32 {
                for (dc, dh) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let length = (0..).find(|i| self.at(c + i * dc, h + i * dh) != self.at(c, h)).unwrap();
                    if length >= 5 {
                        gone.extend((0..length).map(|i| (c + i * dc, h + i * dh)));
                    }
                }
            }
        }
        gone
    }

    fn settle(&mut self, player: i32) -> i32 {
        let mut points = 0;
        loop {
            let gone = self.runs();
            if gone.is_empty() {
                self.scores[player as usize] += points;
                return points;
            }
            points += gone.iter().filter(|cell| self.at(cell.0, cell.1) == player).count() as i32;
            for (c, column) in self.columns.iter_mut().enumerate() {
                let mut h = -1;
                column.retain(|_| {
                    h += 1;
                    !gone.contains(&(c as i32, h))
                });
            }
        }
    }

    fn drop_blocks(&mut self, player: i32, column: usize) -> i32 {
        self.columns[column..column + 3].iter_mut().for_each(|each| each.push(player));
        self.settle(player)
    }

    fn change_blocks(&mut self, player: i32, column: usize) -> i32 {
        let mut todo = vec![(column as i32, 0)];
        while let Some((c, h)) = todo.pop() {
            if self.at(c, h) == 3 - player {
                self.columns[c as usize][h as usize] = player;
                todo.extend([(c + 1, h), (c - 1, h), (c, h + 1), (c, h - 1)]);
            }
        }
        self.settle(player)
    }

    fn get_result(&self) -> (i32, usize, usize) {
        let left = |player| self.columns.iter().flatten().filter(|&&cell| cell == player).count();
        let winner = if self.scores[1] > self.scores[2] { 1 } else if self.scores[1] < self.scores[2] { 2 } else { 0 };
        (winner, left(1), left(2))
    }
}
