// Puyos as discs. Each colour has a mark of its own, so that colours are not needed to tell them apart.
lockstepDrawing({
  board: "board",
  colours: {R: "#d8453e", G: "#3f9b45", B: "#3d6fd6", P: "#8d4fc4", Y: "#d9a514"},
  style: `
    .puyo { stroke: #0004; stroke-width: .4; }
    .puyo-R { fill: #d8453e; } .puyo-G { fill: #3f9b45; } .puyo-B { fill: #3d6fd6; }
    .puyo-P { fill: #8d4fc4; } .puyo-Y { fill: #e0b024; }
    .puyo-mark { fill: none; stroke: #fff; stroke-width: 1; stroke-linecap: round; stroke-linejoin: round; }
    .puyo-Y + .puyo-mark { stroke: #3d2f00; }
    .puyo-empty { fill: var(--grid); }`,
  cell(at, draw) {
    if (at.value === ".") return draw.circle(5, 5, .6, "puyo-empty");
    const marks = {
      R: "M3.2 3.2 L6.8 6.8 M6.8 3.2 L3.2 6.8",            // a cross
      G: "M5 2.9 L7.1 6.7 H2.9 Z",                         // a triangle
      B: "M3.2 3.2 H6.8 V6.8 H3.2 Z",                      // a square
      P: "M2.9 5 H7.1",                                    // a bar
      Y: "M5 2.9 A2.1 2.1 0 1 1 4.99 2.9 Z",               // a ring
    };
    draw.circle(5, 5, 4.3, `puyo puyo-${at.value}`);
    draw.path(marks[at.value], "puyo-mark");
  },
});
