// A run inside this process as the source of a recording. It uses no process and no file, so a page's module
// (page/module.cpp) records with the same code.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lockstep/registry.hpp"
#include "lockstep/services/recording.hpp"
#include "lockstep/text.hpp"

namespace lockstep {

/// Collects the words of an item of a sequence. An item that is a record is its fields.
class CollectItem : public Wording<CollectItem> {
 public:
  std::vector<Field> words;

  void word(std::string_view name, std::string text) { words.push_back({std::string{name}, std::move(text)}); }
  void board(std::string_view name, const Grid& grid, int rows, int columns, const Alphabet& alphabet) {
    CollectWords other;
    other.board(name, grid, rows, columns, alphabet);
    words.push_back(std::move(other.fields.front()));
  }
  template <class C, class Item>
  void list(std::string_view name, C& list_items, int lo, int hi, Item&& item) {
    items(name, list_items, lo, hi, item);
  }
  template <class Fields>
  void record(std::string_view name, Fields&& fields) {
    if (name.empty() && words.empty()) fields(*this);
    else Wording<CollectItem>::record(name, fields);
  }
};

/// Collects fields with their structure. Lists inside the items of a list are texts.
class CollectRecorded : public Wording<CollectRecorded> {
 public:
  RecordedFields fields;

  void word(std::string_view name, std::string text) {
    fields.push_back({RecordedField::Kind::value, std::string{name}, std::move(text)});
  }
  void board(std::string_view name, const Grid& grid, int, int, const Alphabet& alphabet) {
    fields.push_back({RecordedField::Kind::board, std::string{name}, {}, grid, std::string{alphabet.symbols}});
  }
  template <class C, class Item>
  void list(std::string_view name, C& items, int, int, Item&& item) {
    RecordedField out{RecordedField::Kind::lines, std::string{name}};
    for (auto& each : items) {
      CollectWords collect;
      item(collect, each);
      out.items.push_back(std::move(collect.fields));
    }
    fields.push_back(std::move(out));
  }
  template <class C, class Item>
  void items(std::string_view name, C& items, int, int, Item&& item) {
    RecordedField out{RecordedField::Kind::sequence, std::string{name}};
    for (auto& each : items) {
      CollectItem collect;
      item(collect, each);
      out.items.push_back(std::move(collect.words));
    }
    fields.push_back(std::move(out));
  }
  template <class T>
  void value(std::string_view name, const T& value) {
    if constexpr (std::integral<T> && !std::same_as<T, bool>) word(name, std::to_string(value));
    else this->field(name, const_cast<T&>(value));  // sound: printing never writes
  }
};

template <System S>
RecordedFields recorded_snapshot(const SnapshotOf<S>& snapshot) {
  CollectRecorded collect;
  read_snapshot<S>(collect, snapshot);
  return std::move(collect.fields);
}

template <System S>
RecordedFields recorded_answer(const typename S::Observation& observation) {
  CollectRecorded collect;
  read_observation<S>(collect, observation);
  return std::move(collect.fields);
}

/// The run of an implementation that answers in the system's types, inside this process.
template <System S>
RunSource traced_source(const AnyImplementation<S>& implementation, const Scenario<S>& scenario, PositionRange range,
                        volatile std::uint32_t* in_flight) {
  const std::size_t total = scenario.actions.size();
  const Cadence cadence{range.first, range.last};
  const auto index_of = [cadence, total](std::size_t position) {
    std::size_t taken = 0;
    for (std::size_t done = 0; done < position; ++done) taken += takes_snapshot(cadence, done, total) ? 1 : 0;
    return taken;
  };
  const std::size_t first_index = index_of(range.first);
  const auto trace = std::make_shared<Trace<S>>();
  trace->progress = in_flight;
  implementation.trace(scenario, cadence, *trace);
  // Positions of the range are consecutive snapshots.
  RunSource out{{},
                [trace, range, first_index](std::size_t position) {
                  return recorded_snapshot<S>(trace->snapshots.at(first_index + position - range.first));
                },
                [trace](std::size_t position) { return recorded_answer<S>(trace->observations.at(position - 1)); }};
  // A deviation that is no exception (image.hpp) leaves the trace whole.
  if (trace->deviation && trace->snapshots.size() < index_of(total + 1)) {
    out.end = RunEnd{trace->deviation->step, "threw " + trace->deviation->actual};
  }
  return out;
}

/// The actions between the positions of a range.
template <System S>
std::vector<RecordedAction> recorded_actions(const Scenario<S>& scenario, PositionRange range) {
  std::vector<RecordedAction> out;
  Past<S> past{scenario.setup};
  for (std::size_t i = 0; i < range.last; ++i) {
    if (i >= range.first) {
      CollectWords words;
      read_action<S>(words, past, scenario.actions[i]);
      out.push_back({std::string{action_name(scenario.actions[i])}, std::move(words.fields)});
    }
    past.add(scenario.actions[i]);
  }
  return out;
}

}  // namespace lockstep
