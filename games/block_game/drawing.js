// Blocks: cells of one number are one outlined shape, with the number on each cell.
lockstepDrawing({
  board: "board",
  style: `
    .block { stroke: none; } .block-edge { stroke: var(--ink); stroke-width: .9; stroke-linecap: square; }
    .block-number { fill: #16181c; font: 600 3.6px system-ui, "DejaVu Sans", sans-serif; text-anchor: middle; }
    .block-empty { fill: var(--grid); }`,
  cell(at, draw) {
    if (at.value === 0) return draw.circle(5, 5, .6, "block-empty");
    // Neighbouring numbers get hues far from each other.
    draw.rect(0, 0, 10, 10, "block").style.fill = `hsl(${at.value * 137.5 % 360} 62% 74%)`;
    const edges = [[-1, 0, 0, 0, 10, 0], [1, 0, 0, 10, 10, 10], [0, -1, 0, 0, 0, 10], [0, 1, 10, 0, 10, 10]];
    for (const [row, column, ...ends] of edges) {
      if (at.cell(at.row + row, at.column + column) !== at.value) draw.line(...ends, "block-edge");
    }
    draw.text(5, 6.3, String(at.value), "block-number");
  },
});
