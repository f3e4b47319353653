#include "lockstep/services/traced_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "lockstep/trace.hpp"

namespace lockstep {
namespace {

/// Collects the words of an item of a sequence. An item that is a record is its fields.
class CollectItem final : public CollectWords {
 public:
  void visit_record(std::string_view name, FunctionRef<void(Fields&)> record) override {
    if (name.empty() && fields.empty()) record(*this);
    else Wording::visit_record(name, record);
  }
};

}  // namespace

void CollectRecorded::word(std::string_view name, std::string text) {
  fields.push_back({RecordedField::Kind::value, std::string{name}, std::move(text)});
}

void CollectRecorded::board(std::string_view name, Grid& grid, int, int, const Alphabet& alphabet) {
  fields.push_back({RecordedField::Kind::board, std::string{name}, {}, grid, std::string{alphabet.symbols}});
}

void CollectRecorded::visit_list(std::string_view name, Items& items, int, int) {
  RecordedField out{RecordedField::Kind::lines, std::string{name}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    CollectWords collect;
    items.visit(i, collect);
    out.items.push_back(std::move(collect.fields));
  }
  fields.push_back(std::move(out));
}

void CollectRecorded::visit_items(std::string_view name, Items& items, int, int) {
  RecordedField out{RecordedField::Kind::sequence, std::string{name}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    CollectItem collect;
    items.visit(i, collect);
    out.items.push_back(std::move(collect.fields));
  }
  fields.push_back(std::move(out));
}

namespace {

RecordedFields recorded_snapshot(const AnyTrace& trace, std::size_t taken) {
  CollectRecorded collect;
  trace.read_snapshot(taken, collect);
  return std::move(collect.fields);
}

RecordedFields recorded_answer(const AnyTrace& trace, std::size_t action) {
  CollectRecorded collect;
  trace.read_answer(action, collect);
  return std::move(collect.fields);
}

}  // namespace

RunSource traced_source(const Runner& implementation, const AnyScenario& scenario, PositionRange range,
                        volatile std::uint32_t* in_flight) {
  const std::size_t total = scenario.size();
  const Cadence cadence{range.first, range.last};
  const auto index_of = [cadence, total](std::size_t position) {
    std::size_t taken = 0;
    for (std::size_t done = 0; done < position; ++done) taken += takes_snapshot(cadence, done, total) ? 1 : 0;
    return taken;
  };
  const std::size_t first_index = index_of(range.first);
  const auto trace = std::make_shared<AnyTrace>(scenario.vocabulary().trace());
  trace->head().progress = in_flight;
  implementation.run(scenario, cadence, *trace);
  // Positions of the range are consecutive snapshots.
  RunSource out{{},
                [trace, range, first_index](std::size_t position) {
                  const std::size_t taken = first_index + position - range.first;
                  if (taken >= trace->snapshots()) std::abort();  // as in a crash: a page has no exceptions
                  return recorded_snapshot(*trace, taken);
                },
                [trace](std::size_t position) { return recorded_answer(*trace, position - 1); }};
  // A deviation that is no exception (image.hpp) leaves the trace whole.
  if (trace->deviation() && trace->snapshots() < index_of(total + 1)) {
    out.end = RunEnd{trace->deviation()->step, "threw " + trace->deviation()->actual};
  }
  return out;
}

std::vector<RecordedAction> recorded_actions(const AnyScenario& scenario, PositionRange range) {
  std::vector<RecordedAction> out;
  const auto kinds = scenario.vocabulary().kinds();
  scenario.read_each([&](std::size_t action, const AnyScenario::VisitAction& visit) {
    if (action < range.first || action >= range.last) return;
    CollectWords words;
    visit(words);
    out.push_back({std::string{kinds[visit.kind()].name}, std::move(words.fields)});
  });
  return out;
}

}  // namespace lockstep
