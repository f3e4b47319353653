function solution(field) {
  for (let chains = 0;; ++chains) {
    const gone = new Set();
    for (let start = 0; start < 72; ++start) {
      const group = new Set([start]);
      for (const i of group) {
        const r = Math.floor(i / 6), c = i % 6;
        for (const [y, x] of [[r + 1, c], [r - 1, c], [r, c + 1], [r, c - 1]]) {
          if (field[y] && field[y][x] === field[r][c] && field[r][c] !== '.') group.add(y * 6 + x);
        }
      }
      if (group.size >= 4) group.forEach((i) => gone.add(i));
    }
    if (gone.size === 0) return chains;
    for (let c = 0; c < 6; ++c) {
      const left = [];
      for (let r = 0; r < 12; ++r) {
        if (!gone.has(r * 6 + c) && field[r][c] !== '.') left.push(field[r][c]);
      }
      for (let r = 11; r >= 0; --r) field[r][c] = left.pop() || '.';
    }
  }
}
