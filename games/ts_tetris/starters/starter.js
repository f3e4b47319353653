// "TS테트리스", SWEA 23011

// Your solution. A case begins with init. A player is 1 or 2.
function init(width, height) {
}

// The points of this turn.
function dropBlocks(player, column) {
  return 0;
}

// The points of this turn.
function changeBlocks(player, column) {
  return 0;
}

// The winner, 0 if there is none, and how many cells of player 1 and of player 2 are left.
function getResult() {
  return [0, 0, 0];
}

// The rest reads the input and prints the answer.
{
  const numbers = require('fs').readFileSync(0, 'utf8').trim().split(/\s+/).map(Number);
  const out = [];
  let at = 0;
  for (let cases = numbers[at++]; cases > 0; --cases) {
    for (let calls = numbers[at++]; calls > 0; --calls) {
      const call = numbers[at++];
      if (call === 400) {
        out.push(getResult().join(' '));
        continue;
      }
      const a = numbers[at++], b = numbers[at++];
      if (call === 100) init(a, b);
      else if (call === 200) out.push(dropBlocks(a, b));
      else out.push(changeBlocks(a, b));
    }
  }
  console.log(out.join('\n'));
}
