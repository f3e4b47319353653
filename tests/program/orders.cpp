// A program of one file with wide bounds, a list and a text in its setup, and implementations that do not answer: one
// throws, one aborts, one goes on in two processes. program_test.py runs it.
#include <unistd.h>

#include <cstdlib>
#include <list>
#include <vector>

#include "lockstep/lockstep.hpp"

struct Orders {
  static constexpr std::string_view name = "orders";
  static constexpr std::size_t most = 8;

  struct Order {
    int price = 0, size = 0;
    bool operator==(const Order&) const = default;
  };
  struct Setup {
    std::string note;
    std::vector<Order> orders;
    bool operator==(const Setup&) const = default;
  };
  using Snapshot = Setup;
  struct Place {
    static constexpr std::string_view name = "place";
    Order order;
    bool operator==(const Place&) const = default;
  };
  struct Cancel {
    static constexpr std::string_view name = "cancel";
    unsigned number = 0;
    bool operator==(const Cancel&) const = default;
  };
  using Action = std::variant<Place, Cancel>;
  struct Observation {
    bool legal = false;
    int open = 0;
    bool operator==(const Observation&) const = default;
  };

  static void describe(auto& io, Order& o) {
    io.number("price", o.price, 1, 100'000);
    io.number("size", o.size, 1, 1'000);
  }
  static void describe(auto& io, Setup& s) {
    io.text("note", s.note, 0, 20);
    io.list("order", s.orders, 0, most, [](auto& item, Order& o) { describe(item, o); });
  }
  static void describe(auto& io, const Setup&, Place& a) { describe(io, a.order); }
  static void describe(auto& io, const Setup&, Cancel& a) { io.number("number", a.number, 0, most - 1); }
  static void describe(auto& io, Observation& o) {
    io.flag("legal", o.legal);
    io.value("open", o.open);
  }
};

enum class Slip { none, throws, aborts, forks };

template <class Container, Slip slip>
class Desk {
 public:
  explicit Desk(const Orders::Setup& setup) : note_{setup.note}, orders_(setup.orders.begin(), setup.orders.end()) {}

  Orders::Observation step(const Orders::Action& action) {
    const bool legal = std::visit([this](const auto& a) { return this->act(a); }, action);
    return {legal, static_cast<int>(orders_.size())};
  }
  Orders::Snapshot snapshot() const { return {note_, {orders_.begin(), orders_.end()}}; }

 private:
  bool act(const Orders::Place& a) {
    if (orders_.size() == Orders::most) return false;
    orders_.push_back(a.order);
    return true;
  }
  bool act(const Orders::Cancel& a) {
    if (a.number >= orders_.size()) {
      if (slip == Slip::aborts) std::abort();
      if (slip == Slip::forks) (void)fork();
      if (slip == Slip::throws) (void)std::vector<int>(orders_.size()).at(a.number);
      return false;
    }
    orders_.erase(std::next(orders_.begin(), static_cast<std::ptrdiff_t>(a.number)));
    return true;
  }

  std::string note_;
  Container orders_;
};

int main(int argc, char** argv) {
  using Vector = std::vector<Orders::Order>;
  return lockstep::system<Orders>()
      .reference<Desk<Vector, Slip::none>>("vector")
      .implementation<Desk<std::list<Orders::Order>, Slip::none>>("list")
      .implementation<Desk<Vector, Slip::throws>>("throws")
      .implementation<Desk<Vector, Slip::aborts>>("aborts")
      .implementation<Desk<Vector, Slip::forks>>("forks")
      .main(argc, argv);
}
