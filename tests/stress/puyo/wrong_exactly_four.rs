// A group vanishes if it has exactly four puyos.
use std::collections::HashMap;
use std::io::Read;

fn find(parent: &mut Vec<usize>, i: usize) -> usize {
    if parent[i] != i {
        let root = find(parent, parent[i]);
        parent[i] = root;
    }
    parent[i]
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    // Columns, bottom first, without the empty cells.
    let rows: Vec<&[u8]> = text.split_whitespace().map(str::as_bytes).collect();
    let mut columns: Vec<Vec<u8>> =
        (0..6).map(|c| rows.iter().rev().map(|row| row[c]).filter(|&cell| cell != b'.').collect()).collect();
    let mut chains = 0;
    loop {
        let mut parent: Vec<usize> = (0..72).collect();
        for c in 0..6 {
            for h in 0..columns[c].len() {
                let right = columns.get(c + 1).and_then(|next| next.get(h)) == Some(&columns[c][h]);
                let up = columns[c].get(h + 1) == Some(&columns[c][h]);
                for (joined, other) in [(right, (c + 1) * 12 + h), (up, c * 12 + h + 1)] {
                    if joined {
                        let (a, b) = (find(&mut parent, c * 12 + h), find(&mut parent, other));
                        parent[a] = b;
                    }
                }
            }
        }
        let mut sizes = HashMap::new();
        for c in 0..6 {
            for h in 0..columns[c].len() {
                *sizes.entry(find(&mut parent, c * 12 + h)).or_insert(0) += 1;
            }
        }
        if !sizes.values().any(|&size| size == 4) {
            break;
        }
        for c in 0..6 {
            let mut h = 0;
            columns[c].retain(|_| {
                h += 1;
                sizes[&find(&mut parent, c * 12 + h - 1)] != 4
            });
        }
        chains += 1;
    }
    println!("{chains}");
}
