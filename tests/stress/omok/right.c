/* Reads boards until the end of the input. A row is a word of bits; five in a row are found by shifting. */
#include <stdint.h>
#include <stdio.h>

/* row[i] has bit c for a stone in column c. Lines step one row down and `slope` columns to the right, or along the row. */
static uint32_t line(const uint32_t* row, int r, int slope) {
  return r < 0 || r >= 19 ? 0 : slope > 0 ? row[r] >> slope : row[r] << -slope;
}

static uint32_t fives(const uint32_t* row, int r, int down, int slope) {
  uint32_t found = row[r];
  for (int i = 1; i < 5; i++) found &= line(row, r + i * down, i * slope);
  return found & ~line(row, r - down, -slope) & ~line(row, r + 5 * down, 5 * slope) & 0x7ffff;
}

static int search(uint32_t stones[3][19]) {
  for (int colour = 1; colour <= 2; colour++) {
    for (int r = 0; r < 19; r++) {
      const uint32_t along = fives(stones[colour], r, 0, 1), down = fives(stones[colour], r, 1, 0);
      const uint32_t falling = fives(stones[colour], r, 1, 1), rising = fives(stones[colour], r, -1, 1);
      const uint32_t all = along | down | falling | rising;
      if (all == 0) continue;
      printf("%d\n%d %d\n", colour, r + 1, __builtin_ctz(all) + 1);
      return 1;
    }
  }
  return 0;
}

int main(void) {
  int cell;
  for (;;) {
    uint32_t stones[3][19] = {{0}};
    for (int i = 0; i < 19 * 19; i++) {
      if (scanf("%d", &cell) != 1) return 0;
      stones[cell][i / 19] |= 1u << i % 19;
    }
    if (!search(stones)) puts("0");
  }
}
