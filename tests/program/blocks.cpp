// A system whose implementations make mistakes with memory: each answers right, so that only a checker sees the mistake.
#include <lockstep/lockstep.hpp>
#include <vector>

/// Numbers, each in a block of the heap.
struct Blocks {
  static constexpr std::string_view name = "blocks";
  struct Setup {
    bool operator==(const Setup&) const = default;
  };
  struct Push {
    static constexpr std::string_view name = "push";
    int number = 0;
    bool operator==(const Push&) const = default;
  };
  struct Drop {
    static constexpr std::string_view name = "drop";
    bool operator==(const Drop&) const = default;
  };
  struct Sum {
    static constexpr std::string_view name = "sum";
    bool operator==(const Sum&) const = default;
  };
  using Action = std::variant<Push, Drop, Sum>;
  struct Observation {
    int value = 0;
    bool operator==(const Observation&) const = default;
  };
  static void describe(auto&, Setup&) {}
  static void describe(auto& io, const Setup&, Push& a) { io.number("number", a.number, 1, 20); }
  static void describe(auto&, const Setup&, Drop&) {}
  static void describe(auto&, const Setup&, Sum&) {}
  static void describe(auto& io, Observation& o) { io.value("value", o.value); }
};

enum class Mistake { none, leaks, reads_beyond };

volatile bool positive = false;  // so that what was read decides something

[[gnu::noinline]] int* new_block(int number) {
  int* const block = new int[2];
  block[0] = number;
  return block;
}

[[gnu::noinline]] void drop_block(int* block, Mistake mistake) {
  if (mistake == Mistake::leaks && block[0] > 5) return;
  delete[] block;
}

[[gnu::noinline]] int read_block(const int* block, Mistake mistake, std::size_t blocks) {
  if (mistake == Mistake::reads_beyond && blocks == 3 && block[2] > 0) positive = true;
  return block[0];
}

template <Mistake mistake>
class List {
 public:
  explicit List(const Blocks::Setup&) {}
  List(const List&) = delete;
  List& operator=(const List&) = delete;
  ~List() {
    for (int* block : blocks_) delete[] block;
  }
  Blocks::Observation step(const Blocks::Action& action) {
    return std::visit([this](const auto& a) { return this->act(a); }, action);
  }

 private:
  Blocks::Observation act(const Blocks::Push& push) {
    blocks_.push_back(new_block(push.number));
    return {};
  }
  Blocks::Observation act(const Blocks::Drop&) {
    if (blocks_.empty()) return {};
    drop_block(blocks_.back(), mistake);
    blocks_.pop_back();
    return {};
  }
  Blocks::Observation act(const Blocks::Sum&) {
    int sum = 0;
    for (const int* block : blocks_) sum += read_block(block, mistake, blocks_.size());
    return {sum};
  }

  std::vector<int*> blocks_;
};

int main(int argc, char** argv) {
  return lockstep::system<Blocks>()
      .reference<List<Mistake::none>>("right")
      .implementation<List<Mistake::leaks>>("leaks", "does not free a block with a number above 5")
      .implementation<List<Mistake::reads_beyond>>("beyond", "reads behind a block, if there are three")
      .main(argc, argv);
}
