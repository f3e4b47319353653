// BOJ 11559
#include <stdio.h>

// Your solution: the number of chains. field[row][column], the top row first: '.', 'R', 'G', 'B', 'P' or 'Y'.
int solution(char field[12][7]) {
  return 0;
}

// The rest reads the input and prints the answer.
int main(void) {
  char field[12][7];
  while (scanf("%6s", field[0]) == 1) {
    for (int r = 1; r < 12; ++r) scanf("%6s", field[r]);
    printf("%d\n", solution(field));
  }
}
