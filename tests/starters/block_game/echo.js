function solution(board) {
  return JSON.stringify([board.length, board]);
}
