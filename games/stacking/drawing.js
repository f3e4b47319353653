// A coloured board with stacks of pieces. The bottom piece of a stack is the lowest; each piece shows its number and an
// arrow in the direction that it faces. Red cells have diagonal lines, blue ones crossed lines.
lockstepDrawing({
  board: "board",
  lists: ["piece"],
  size: 64,
  colours: {R: "#d8655f", B: "#5b86d8", ".": "#ffffff"},
  style: `
    .stack-white { fill: var(--cell); stroke: var(--grid); stroke-width: .3; }
    .stack-R { fill: #f0a39d; stroke: var(--grid); stroke-width: .3; }
    .stack-B { fill: #9dbcf2; stroke: var(--grid); stroke-width: .3; }
    .stack-lines { fill: none; stroke: #0003; stroke-width: .35; }
    .piece { fill: #fdf6df; stroke: #2a2417; stroke-width: .35; }
    .piece-number {
      fill: #1c1a14; font-family: system-ui, "DejaVu Sans", sans-serif; font-weight: 600; text-anchor: middle;
    }
    .piece-arrow { fill: #1c1a14; } .piece-free { opacity: .4; }`,
  cell(at, draw) {
    draw.rect(0, 0, 10, 10, at.value === "." ? "stack-white" : `stack-${at.value}`);
    if (at.value === "R") draw.path("M0 5 L5 0 M0 10 L10 0 M5 10 L10 5", "stack-lines");
    if (at.value === "B") draw.path("M0 5 L5 0 L10 5 L5 10 Z M0 0 L10 10 M0 10 L10 0", "stack-lines");
    const stack = at.items.slice().sort((a, b) => a.level - b.level);
    const height = Math.min(2.8, 8 / Math.max(1, stack.length));
    stack.forEach((piece, level) => {
      const y = 9 - (level + 1) * height, middle = y + height / 2, size = height * .26;
      const type = `piece piece-${piece.facing}${piece.free ? " piece-free" : ""}`;
      const shape = draw.rect(1.9, y, 6.2, height - .12, type, .6);
      shape.dataset.piece = piece.number;
      const number = draw.text(3.7, middle + height * .26, String(piece.number), "piece-number");
      number.style.fontSize = `${height * .76}px`;
      const [x, y0] = [6.5, middle];
      const arrows = {
        right: `M${x - size} ${y0 - size} L${x + size} ${y0} L${x - size} ${y0 + size} Z`,
        left: `M${x + size} ${y0 - size} L${x - size} ${y0} L${x + size} ${y0 + size} Z`,
        up: `M${x - size} ${y0 + size} L${x} ${y0 - size} L${x + size} ${y0 + size} Z`,
        down: `M${x - size} ${y0 - size} L${x} ${y0 + size} L${x + size} ${y0 - size} Z`,
      };
      draw.path(arrows[piece.facing], "piece-arrow");
    });
  },
});
