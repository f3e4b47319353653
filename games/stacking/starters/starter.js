// BOJ 17837

// Your solution: the turn that ends the game, or -1. board[row][column]: 0 white, 1 red, 2 blue. pieces[i]: row, column
// and direction, as in the text; rows and columns count from 1.
function solution(board, pieces) {
  return 0;
}

// The rest reads the input and prints the answer.
{
  const numbers = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
  for (let at = 0; at < numbers.length;) {
    const n = numbers[at++], k = numbers[at++];
    const board = [], pieces = [];
    for (; board.length < n; at += n) board.push(numbers.slice(at, at + n));
    for (; pieces.length < k; at += 3) pieces.push(numbers.slice(at, at + 3));
    console.log(solution(board, pieces));
  }
}
