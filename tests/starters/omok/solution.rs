fn solution(board: Vec<Vec<i32>>) -> (i32, usize, usize) {
    for c in 0..19_i32 {
        for r in 0..19_i32 {
            let colour = board[r as usize][c as usize];
            for (dr, dc) in [(0, 1), (1, 0), (1, 1), (-1, 1)] {
                let same = |i: i32| {
                    let (y, x) = (r + i * dr, c + i * dc);
                    (0..19).contains(&y) && (0..19).contains(&x) && board[y as usize][x as usize] == colour
                };
                if colour != 0 && !same(-1) && !same(5) && (0..5).all(same) {
                    return (colour, r as usize + 1, c as usize + 1);
                }
            }
        }
    }
    (0, 0, 0)
}
