function solution(board) {
  for (let c = 0; c < 19; ++c) {
    for (let r = 0; r < 19; ++r) {
      for (const [dr, dc] of [[0, 1], [1, 0], [1, 1], [-1, 1]]) {
        const same = [-1, 0, 1, 2, 3, 4, 5].map((i) => (board[r + i * dr] || [])[c + i * dc] === board[r][c] ? 1 : 0);
        if (board[r][c] !== 0 && same.join('') === '0111110') return [board[r][c], r + 1, c + 1];
      }
    }
  }
  return [0, 0, 0];
}
