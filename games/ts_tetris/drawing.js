// Cells of two players: player 1 has squares with a bar, player 2 squares with a dot. Pieces have no borders of their
// own: what counts are the cells.
lockstepDrawing({
  board: "board",
  colours: {1: "#2f6fb7", 2: "#c9622a"},
  style: `
    .ts-cell { stroke: #0003; stroke-width: .3; }
    .ts-1 { fill: #2f6fb7; } .ts-2 { fill: #c9622a; }
    .ts-mark { fill: none; stroke: #fff; stroke-width: 1.1; stroke-linecap: round; }
    .ts-empty { fill: var(--grid); }`,
  cell(at, draw) {
    if (at.value === ".") return draw.circle(5, 5, .6, "ts-empty");
    draw.rect(.5, .5, 9, 9, `ts-cell ts-${at.value}`, 1.2);
    draw.path(at.value === "1" ? "M5 3 V7" : "M3.6 3.6 H6.4 V6.4 H3.6 Z", "ts-mark");
  },
});
