// Falling begins in the second row: what lies in the highest row of a full column stays there.
#include <array>
#include <iostream>
#include <set>
#include <string>
#include <utility>

class Field {
 public:
  void read(std::istream& in) {
    for (auto& row : rows_) in >> row;
  }

  bool vanish() {
    std::set<std::pair<int, int>> all;
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c < 6; ++c) {
        std::set<std::pair<int, int>> group;
        if (rows_[r][c] != '.') collect(r, c, rows_[r][c], group);
        if (group.size() > 3) all.merge(group);
      }
    for (const auto& [r, c] : all) rows_[r][c] = '.';
    return !all.empty();
  }

  void fall() {
    for (int c = 0; c < 6; ++c) {
      std::string left;
      for (int r = 11; r > 0; --r)
        if (rows_[r][c] != '.') left += rows_[r][c];
      left.resize(11, '.');
      for (int r = 11; r > 0; --r) rows_[r][c] = left[11 - r];
    }
  }

 private:
  void collect(int r, int c, char colour, std::set<std::pair<int, int>>& group) const {
    if (r < 0 || r > 11 || c < 0 || c > 5 || rows_[r][c] != colour || !group.insert({r, c}).second) return;
    collect(r - 1, c, colour, group);
    collect(r + 1, c, colour, group);
    collect(r, c - 1, colour, group);
    collect(r, c + 1, colour, group);
  }

  std::array<std::string, 12> rows_;
};

int main() {
  Field field;
  field.read(std::cin);
  int chains = 0;
  while (field.vanish()) {
    field.fall();
    ++chains;
  }
  std::cout << chains << std::endl;
}
