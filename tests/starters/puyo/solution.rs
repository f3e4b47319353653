fn solution(mut field: Vec<Vec<char>>) -> i32 {
    let mut chains = 0;
    loop {
        let mut gone = vec![false; 72];
        for start in 0..72_usize {
            let mut group = vec![start];
            let mut at = 0;
            while at < group.len() {
                let (r, c) = (group[at] / 6, group[at] % 6);
                at += 1;
                for (y, x) in [(r + 1, c), (r.wrapping_sub(1), c), (r, c + 1), (r, c.wrapping_sub(1))] {
                    if y < 12 && x < 6 && field[y][x] == field[r][c] && field[r][c] != '.' && !group.contains(&(y * 6 + x)) {
                        group.push(y * 6 + x);
                    }
                }
            }
            if group.len() >= 4 {
                group.iter().for_each(|&i| gone[i] = true);
            }
        }
        if !gone.contains(&true) {
            return chains;
        }
        chains += 1;
        for c in 0..6 {
            let mut left: Vec<char> = (0..12).filter(|r| !gone[r * 6 + c] && field[*r][c] != '.').map(|r| field[r][c]).collect();
            for r in (0..12).rev() {
                field[r][c] = left.pop().unwrap_or('.');
            }
        }
    }
}
