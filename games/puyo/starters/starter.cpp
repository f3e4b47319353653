// BOJ 11559
#include <iostream>
#include <string>
#include <vector>

// Your solution: the number of chains. field[row][column], the top row first: '.', 'R', 'G', 'B', 'P' or 'Y'.
int solution(std::vector<std::string> field) {
  // …
  return 0;
}

// The rest reads the input and prints the answer.
int main() {
  std::vector<std::string> field(12);
  while (std::cin >> field[0]) {
    for (int r = 1; r < 12; ++r) std::cin >> field[r];
    std::cout << solution(field) << "\n";
  }
}
