fn solution(board: Vec<Vec<i32>>, mut pieces: Vec<Vec<i32>>) -> i32 {
    let step = [(0, 0), (0, 1), (0, -1), (-1, 0), (1, 0)];
    let back = [0, 2, 1, 4, 3];
    let n = board.len() as i32;
    let blue = |y: i32, x: i32| y < 1 || y > n || x < 1 || x > n || board[y as usize - 1][x as usize - 1] == 2;
    let place = |y: i32, x: i32| ((y - 1) * n + x - 1) as usize;
    let mut stacks = vec![Vec::new(); (n * n) as usize];
    for i in 0..pieces.len() {
        stacks[place(pieces[i][0], pieces[i][1])].push(i);
    }
    for turn in 1..=1000 {
        for i in 0..pieces.len() {
            let (r, c) = (pieces[i][0], pieces[i][1]);
            let (down, right) = step[pieces[i][2] as usize];
            if blue(r + down, c + right) {
                pieces[i][2] = back[pieces[i][2] as usize];
            }
            let (down, right) = step[pieces[i][2] as usize];
            let (y, x) = (r + down, c + right);
            if blue(y, x) {
                continue;
            }
            let at = stacks[place(r, c)].iter().position(|&piece| piece == i).unwrap();
            let mut moved = stacks[place(r, c)].split_off(at);
            if board[y as usize - 1][x as usize - 1] == 1 {
                moved.reverse();
            }
            for &piece in &moved {
                pieces[piece][0] = y;
                pieces[piece][1] = x;
            }
            stacks[place(y, x)].extend(moved);
            if stacks[place(y, x)].len() >= 4 {
                return turn;
            }
        }
    }
    -1
}
