fn solution(mut board: Vec<Vec<i32>>) -> i32 {
    let n = board.len();
    let mut removed = 0;
    loop {
        let before = removed;
        for number in 1..=200 {
            let cells: Vec<(usize, usize)> =
                (0..n * n).map(|i| (i / n, i % n)).filter(|&(r, c)| board[r][c] == number).collect();
            if cells.is_empty() {
                continue;
            }
            let (top, bottom) = (cells[0].0, cells[3].0);
            let (left, right) = (cells.iter().map(|cell| cell.1).min().unwrap(), cells.iter().map(|cell| cell.1).max().unwrap());
            let open = (top..=bottom).all(|r| {
                (left..=right).all(|c| board[r][c] == number || (0..=r).all(|up| board[up][c] == 0))
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
