// BOJ 11559

// Your solution: the number of chains. field[row][column], the top row first: '.', 'R', 'G', 'B', 'P' or 'Y'.
function solution(field) {
  return 0;
}

// The rest reads the input and prints the answer.
{
  const rows = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/);
  for (let first = 0; first < rows.length; first += 12) {
    console.log(solution(rows.slice(first, first + 12).map((row) => [...row])));
  }
}
