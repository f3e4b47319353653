// "블록 게임"

// Your solution: how many blocks can be removed. board[row][column], the top row first: 0 or the number of a block.
function solution(board) {
  return 0;
}

// The rest reads the input and prints the answer.
{
  const numbers = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
  for (let at = 0; at < numbers.length;) {
    const n = numbers[at++];
    const board = [];
    for (; board.length < n; at += n) board.push(numbers.slice(at, at + n));
    console.log(solution(board));
  }
}
