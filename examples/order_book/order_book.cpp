// A limit order book, twice: a vector of orders that is searched for the best one, and price levels with queues. Orders
// match by price, then by time, and can be filled in parts. Lockstep searches for actions that they answer differently.
//
// It shows handles (cancel and amend name an earlier limit order), answers of any size (the fills), exceptions as
// answers (an order that no longer rests), and a state of which only a part is seen: a snapshot shows what a market data
// feed does, each level's price and quantity. The queue inside a level must be observed by its fills. Five mistakes are
// planted at the end, as canaries.
//
//   order_book fuzz --seconds 10                                   searches; the implementations agree
//   order_book fuzz --with amend_down_goes_last --seconds 10       finds a planted mistake
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/lockstep.hpp"

enum class Side { buy, sell };

/// The rules. An arriving order trades with the opposite side's best price first, and the earliest order of a price
/// first, at the price of the resting order. What is left of a limit order rests; what is left of a market order does
/// not. An amendment to a larger quantity counts as a new arrival, a smaller one keeps its time.
struct OrderBook {
  static constexpr std::string_view name = "order_book";
  static constexpr int price_max = 20;
  static constexpr int quantity_max = 50;

  using Setup = lockstep::Nothing;  // a book starts empty
  struct Limit {
    static constexpr std::string_view name = "limit";
    static constexpr bool has_result = true;  // the order, which later actions can refer to
    static constexpr unsigned weight = 4;
    Side side = Side::buy;
    int price = 0;
    int quantity = 0;
    bool operator==(const Limit&) const = default;
  };
  struct Market {
    static constexpr std::string_view name = "market";
    Side side = Side::buy;
    int quantity = 0;
    bool operator==(const Market&) const = default;
  };
  struct Cancel {
    static constexpr std::string_view name = "cancel";
    lockstep::Result<Limit> order;
    bool operator==(const Cancel&) const = default;
  };
  struct Amend {
    static constexpr std::string_view name = "amend";
    static constexpr unsigned weight = 2;
    lockstep::Result<Limit> order;
    int quantity = 0;
    bool operator==(const Amend&) const = default;
  };
  using Action = std::variant<Limit, Market, Cancel, Amend>;

  struct Fill {
    lockstep::Result<Limit> maker;  // the resting order
    int price = 0;
    int quantity = 0;
    bool operator==(const Fill&) const = default;
    static void describe(auto& io, Fill& f) {
      io.field("maker", f.maker);
      io.field("price", f.price);
      io.field("quantity", f.quantity);
    }
  };
  struct Observation {
    std::vector<Fill> fills;
    int left = 0;                       // of the order that arrived, was cancelled, or was amended
    std::optional<std::string> thrown;  // the type of the exception
    Observation() = default;
    Observation(std::vector<Fill> f, int l) : fills{std::move(f)}, left{l} {}
    explicit Observation(const lockstep::Thrown& exception) : thrown{exception.type} {}
    bool operator==(const Observation&) const = default;
  };
  struct Level {
    int price = 0;
    int quantity = 0;
    bool operator==(const Level&) const = default;
    static void describe(auto& io, Level& l) {
      io.field("price", l.price);
      io.field("quantity", l.quantity);
    }
  };
  struct Snapshot {
    std::vector<Level> bids;  // best first
    std::vector<Level> asks;  // best first
    bool operator==(const Snapshot&) const = default;
  };

  static void describe(auto& io, const Setup&, Limit& a) {
    io.field("side", a.side);
    io.number("price", a.price, 1, price_max);
    io.number("quantity", a.quantity, 1, quantity_max);
  }
  static void describe(auto& io, const Setup&, Market& a) {
    io.field("side", a.side);
    io.number("quantity", a.quantity, 1, quantity_max);
  }
  static void describe(auto& io, const Setup&, Cancel& a) { io.result("order", a.order); }
  static void describe(auto& io, const Setup&, Amend& a) {
    io.result("order", a.order);
    io.number("quantity", a.quantity, 1, quantity_max);
  }
  static void describe(auto& io, Observation& o) {
    if (o.thrown) return io.value("thrown", *o.thrown);
    io.value("fills", o.fills);
    io.value("left", o.left);
  }
  static void describe(auto& io, Snapshot& s) {
    io.field("bids", s.bids);
    io.field("asks", s.asks);
  }

  struct Laws {
    static std::string violation(const Setup&, const Snapshot&, const Action&, const Observation&,
                                 const Snapshot& after) {
      const bool crossed =
          !after.bids.empty() && !after.asks.empty() && after.bids.front().price >= after.asks.front().price;
      return crossed ? "the best bid is below the best ask" : "";
    }
  };

  struct Features {  // how deep a scenario went: more fills at once are progress of a search, and `labels` counts them
    enum : std::size_t { fills, refusals };
    static constexpr std::array<lockstep::Feature, 2> list = {{{fills, "fills"}, {refusals, "refusals"}}};
    static void observe(auto&& emit, const Action&, const Observation& o) {
      emit(fills, static_cast<std::int64_t>(o.fills.size()));
      emit(refusals, o.thrown ? 1 : 0);
    }
  };
};

/// The reference: all resting orders in the order of their arrival.
class ListBook {
 public:
  OrderBook::Observation step(const OrderBook::Action& action) {
    return std::visit([this](const auto& a) { return act(a); }, action);
  }

  OrderBook::Snapshot snapshot() const {
    std::map<int, int, std::greater<>> bids;
    std::map<int, int> asks;
    for (const auto& order : orders_)
      (order.side == Side::buy ? bids[order.price] : asks[order.price]) += order.quantity;
    OrderBook::Snapshot out;
    for (const auto& [price, quantity] : bids) out.bids.push_back({price, quantity});
    for (const auto& [price, quantity] : asks) out.asks.push_back({price, quantity});
    return out;
  }

 private:
  struct Order {
    std::uint32_t id;
    Side side;
    int price;
    int quantity;
  };

  OrderBook::Observation act(const OrderBook::Limit& a) {
    auto out = match(a.side, a.quantity, a.price);
    if (out.left > 0) orders_.push_back({next_id_, a.side, a.price, out.left});
    ++next_id_;
    return out;
  }
  OrderBook::Observation act(const OrderBook::Market& a) { return match(a.side, a.quantity, std::nullopt); }
  OrderBook::Observation act(const OrderBook::Cancel& a) {
    const auto order = find(a.order.index);
    const int left = order->quantity;
    orders_.erase(order);
    return {{}, left};
  }
  OrderBook::Observation act(const OrderBook::Amend& a) {
    const auto order = find(a.order.index);
    if (a.quantity > order->quantity) std::rotate(order, std::next(order), orders_.end());
    find(a.order.index)->quantity = a.quantity;
    return {{}, a.quantity};
  }

  std::vector<Order>::iterator find(std::uint32_t id) {
    const auto at = std::ranges::find(orders_, id, &Order::id);
    if (at == orders_.end()) throw std::invalid_argument{"no such order"};
    return at;
  }

  OrderBook::Observation match(Side side, int quantity, std::optional<int> limit) {
    OrderBook::Observation out{{}, quantity};
    while (out.left > 0) {
      auto best = orders_.end();
      for (auto order = orders_.begin(); order != orders_.end(); ++order) {
        if (order->side == side || (limit && (side == Side::buy ? order->price > *limit : order->price < *limit)))
          continue;
        const bool better =
            best == orders_.end() || (side == Side::buy ? order->price < best->price : order->price > best->price);
        if (better) best = order;
      }
      if (best == orders_.end()) break;
      const int filled = std::min(out.left, best->quantity);
      out.fills.push_back({{best->id}, best->price, filled});
      out.left -= filled;
      best->quantity -= filled;
      if (best->quantity == 0) orders_.erase(best);
    }
    return out;
  }

  std::vector<Order> orders_;
  std::uint32_t next_id_ = 0;
};

enum class Mistake {
  none,
  amend_down_goes_last,
  amend_up_keeps_time,
  partial_fill_keeps_total,
  cancel_leaves_level,
  limit_trades_only_better
};

/// The fast one: each side is a map of levels, best first, each with a queue of orders and their total quantity. An index
/// by order leads to its place in the queue. A side's levels are ordered by their distance from the best possible price,
/// so that one code serves both sides.
class LevelBook {
 public:
  explicit LevelBook(Mistake mistake = Mistake::none) : mistake_{mistake} {}

  OrderBook::Observation step(const OrderBook::Action& action) {
    return std::visit([this](const auto& a) { return act(a); }, action);
  }

  OrderBook::Snapshot snapshot() const {
    OrderBook::Snapshot out;
    for (const auto& [distance, level] : levels(Side::buy)) {
      if (level.total > 0) out.bids.push_back({-distance, level.total});
    }
    for (const auto& [distance, level] : levels(Side::sell)) {
      if (level.total > 0) out.asks.push_back({distance, level.total});
    }
    return out;
  }

 private:
  struct Order {
    std::uint32_t id;
    int quantity;
  };
  struct Level {
    std::list<Order> queue;
    int total = 0;
  };
  using Levels = std::map<int, Level>;
  struct Place {
    Side side;
    Levels::iterator level;
    std::list<Order>::iterator order;
  };

  OrderBook::Observation act(const OrderBook::Limit& a) {
    auto out = match(a.side, a.quantity, a.price);
    places_.emplace_back();
    if (out.left == 0) return out;
    const auto level = levels(a.side).try_emplace(distance(a.side, a.price)).first;
    auto& [queue, total] = level->second;
    total += out.left;
    queue.push_back({static_cast<std::uint32_t>(places_.size() - 1), out.left});
    places_.back() = Place{a.side, level, std::prev(queue.end())};
    return out;
  }
  OrderBook::Observation act(const OrderBook::Market& a) { return match(a.side, a.quantity, std::nullopt); }
  OrderBook::Observation act(const OrderBook::Cancel& a) {
    const Place place = find(a.order.index);
    const int left = place.order->quantity;
    place.level->second.total -= left;
    place.level->second.queue.erase(place.order);
    places_[a.order.index].reset();
    if (place.level->second.queue.empty() && mistake_ != Mistake::cancel_leaves_level) {
      levels(place.side).erase(place.level);
    }
    return {{}, left};
  }
  OrderBook::Observation act(const OrderBook::Amend& a) {
    const Place place = find(a.order.index);
    auto& [queue, total] = place.level->second;
    const int more = a.quantity - std::exchange(place.order->quantity, a.quantity);
    total += more;
    const bool goes_last = (more > 0 && mistake_ != Mistake::amend_up_keeps_time) ||
                           (more < 0 && mistake_ == Mistake::amend_down_goes_last);
    if (goes_last) queue.splice(queue.end(), queue, place.order);
    return {{}, a.quantity};
  }

  const Place& find(std::uint32_t id) const {
    if (!places_[id]) throw std::invalid_argument{"no such order"};
    return *places_[id];
  }

  OrderBook::Observation match(Side side, int quantity, std::optional<int> limit) {
    OrderBook::Observation out{{}, quantity};
    const Side other = side == Side::buy ? Side::sell : Side::buy;
    Levels& opposite = levels(other);
    while (out.left > 0 && !opposite.empty()) {
      const auto best = opposite.begin();
      auto& [queue, total] = best->second;
      if (limit && best->first > distance(other, *limit)) break;
      if (limit && best->first == distance(other, *limit) && mistake_ == Mistake::limit_trades_only_better) break;
      while (out.left > 0 && !queue.empty()) {
        Order& maker = queue.front();
        const int filled = std::min(out.left, maker.quantity);
        out.fills.push_back({{maker.id}, distance(other, best->first), filled});
        out.left -= filled;
        maker.quantity -= filled;
        if (maker.quantity == 0 || mistake_ != Mistake::partial_fill_keeps_total) total -= filled;
        if (maker.quantity > 0) break;
        places_[maker.id].reset();
        queue.pop_front();
      }
      if (!queue.empty() || out.fills.empty()) break;  // without fills, the level was empty: the book is exhausted
      opposite.erase(best);
    }
    return out;
  }

  /// Prices of bids are negated, so that the best one comes first; doing it twice gives the price again.
  static int distance(Side side, int price) { return side == Side::buy ? -price : price; }
  Levels& levels(Side side) { return sides_[side == Side::buy ? 0 : 1]; }
  const Levels& levels(Side side) const { return sides_[side == Side::buy ? 0 : 1]; }

  Levels sides_[2];
  std::vector<std::optional<Place>> places_;  // of each limit order; empty if it does not rest
  Mistake mistake_;
};

int main(int argc, char** argv) {
  const auto with = [](Mistake mistake) { return [=](const OrderBook::Setup&) { return LevelBook{mistake}; }; };
  return lockstep::system<OrderBook>()
      .reference<ListBook>("list")
      .implementation<LevelBook>("levels", "a queue for each price, and an index by order")
      .canary("amend_down_goes_last", with(Mistake::amend_down_goes_last), "amending to less loses time priority")
      .canary("amend_up_keeps_time", with(Mistake::amend_up_keeps_time), "amending to more keeps time priority")
      .canary("partial_fill_keeps_total", with(Mistake::partial_fill_keeps_total),
              "a partial fill does not reduce the level's total")
      .canary("cancel_leaves_level", with(Mistake::cancel_leaves_level),
              "a cancel leaves an empty level, at which matching ends")
      .canary("limit_trades_only_better", with(Mistake::limit_trades_only_better),
              "a limit order does not trade at its own price")
      .main(argc, argv);
}
