// BOJ 2615

// Your solution: who has won, and the row and column of the winning stone as in the text, which count from 1; [0, 0, 0]
// if nobody has. board[row][column]: 0 empty, 1 black, 2 white.
function solution(board) {
  return [0, 0, 0];
}

// The rest reads the input and prints the answer.
{
  const numbers = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
  for (let at = 0; at < numbers.length;) {
    const board = [];
    for (; board.length < 19; at += 19) board.push(numbers.slice(at, at + 19));
    const [colour, row, column] = solution(board);
    console.log(colour);
    if (colour !== 0) console.log(row + ' ' + column);
  }
}
