// "TS테트리스", SWEA 23011
#include <stdio.h>

// Your solution. A case begins with init. A player is 1 or 2.
void init(int W, int H) {
}

// The points of this turn.
int dropBlocks(int player, int column) {
  return 0;
}

// The points of this turn.
int changeBlocks(int player, int column) {
  return 0;
}

// The winner, 0 if there is none. left[0] and left[1]: how many cells of player 1 and of player 2 are left.
int getResult(int left[2]) {
  left[0] = left[1] = 0;
  return 0;
}

// The rest reads the input and prints the answer.
int main(void) {
  int cases, calls, call, a, b;
  scanf("%d", &cases);
  while (cases-- > 0) {
    scanf("%d", &calls);
    while (calls-- > 0) {
      scanf("%d", &call);
      if (call != 400) scanf("%d%d", &a, &b);
      if (call == 100) {
        init(a, b);
      } else if (call == 200) {
        printf("%d\n", dropBlocks(a, b));
      } else if (call == 300) {
        printf("%d\n", changeBlocks(a, b));
      } else {
        int left[2];
        const int winner = getResult(left);
        printf("%d %d %d\n", winner, left[0], left[1]);
      }
    }
  }
}
