// Stones on the crossings of lines.
lockstepDrawing({
  board: "board",
  colours: {B: "#222222", W: "#fafafa"},
  style: `
    .omok-wood { fill: #e3c078; } .omok-line { stroke: #8a6a2f; stroke-width: .35; }
    .omok-B { fill: #1c1c1c; stroke: #000; stroke-width: .4; }
    .omok-W { fill: #fcfcfa; stroke: #4a4a4a; stroke-width: .4; }
    .omok-shine { fill: none; stroke: #8a8a8a; stroke-width: .5; stroke-linecap: round; }`,
  below(size, draw) {
    draw.rect(0, 0, size.columns * 10, size.rows * 10, "omok-wood");
    // A line ends at the outermost crossing of the board, and continues where only a part of the board is shown.
    const from = (first) => first === 0 ? 5 : 0;
    const to = (first, shown, all) => shown * 10 - (first + shown === all ? 5 : 0);
    for (let row = 0; row < size.rows; ++row) {
      const y = row * 10 + 5;
      draw.line(from(size.column), y, to(size.column, size.columns, size.board.columns), y, "omok-line");
    }
    for (let column = 0; column < size.columns; ++column) {
      const x = column * 10 + 5;
      draw.line(x, from(size.row), x, to(size.row, size.rows, size.board.rows), "omok-line");
    }
  },
  cell(at, draw) {
    if (at.value === ".") return;
    draw.circle(5, 5, 4.2, `omok-stone omok-${at.value}`);
    if (at.value === "B") draw.path("M2.6 4 A3 3 0 0 1 4.2 2.5", "omok-shine");
  },
});
