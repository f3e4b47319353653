// Recordings as templates over a system.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "lockstep/measure.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/services/implementations.hpp"
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

/// The texts of a plugin at all positions.
class PluginTexts final : public PluginListener {
 public:
  std::vector<std::vector<Field>> answers;    // answers[i]: to action i
  std::vector<std::vector<Field>> snapshots;  // in the order of the positions that were asked for

  void observation(std::string_view lines) override { answers.push_back(fields_of(lines)); }
  void snapshot(std::string_view lines) override { snapshots.push_back(fields_of(lines)); }
};

template <System S>
RunSource run_source(const AnyImplementation<S>& implementation, const Scenario<S>& scenario, PositionRange range,
                     volatile std::uint32_t& in_flight) {
  const std::size_t total = scenario.actions.size();
  const Cadence cadence{range.first, range.last};
  const auto index_of = [cadence, total](std::size_t position) {
    std::size_t taken = 0;
    for (std::size_t done = 0; done < position; ++done) taken += takes_snapshot(cadence, done, total) ? 1 : 0;
    return taken;
  };
  const std::size_t first_index = index_of(range.first);
  const auto* const plugin = known_plugin(implementation.name);
  const auto trace = std::make_shared<Trace<S>>();
  if (plugin == nullptr) trace->progress = &in_flight;
  (plugin == nullptr ? implementation : reference_of<S>()).trace(scenario, cadence, *trace);
  // Positions of the range are consecutive snapshots.
  const auto state = [trace, range, first_index](std::size_t position) {
    return recorded_snapshot<S>(trace->snapshots.at(first_index + position - range.first));
  };
  const auto answer = [trace](std::size_t position) {
    return recorded_answer<S>(trace->observations.at(position - 1));
  };
  if (plugin == nullptr) {
    RunSource out{{}, state, answer};
    // A deviation that is no exception (image.hpp) leaves the trace whole.
    if (trace->deviation && trace->snapshots.size() < index_of(total + 1)) {
      out.end = RunEnd{trace->deviation->step, "threw " + trace->deviation->actual};
    }
    return out;
  }
  const auto texts = std::make_shared<PluginTexts>();
  std::vector<std::uint64_t> positions;
  for (std::size_t position = range.first; position <= range.last; ++position) positions.push_back(position);
  const std::string refusal = play(*plugin->implementation, scenario_text<S>(scenario), positions, in_flight, *texts);
  const std::size_t shown = std::min(texts->snapshots.size(), positions.size());
  RunSource out;
  if (shown < positions.size() || texts->answers.size() < range.last) {
    out.end = RunEnd{range.first + std::min(shown, texts->answers.size()),
                     refusal.empty() ? "gave no more answers" : "refused: " + refusal};
  }
  out.state = [texts, state, range](std::size_t position) {
    return structured(texts->snapshots.at(position - range.first), state(position));
  };
  out.answer = [texts, answer](std::size_t position) {
    return structured(texts->answers.at(position - 1), answer(position));
  };
  return out;
}

/// The scenario's recording around a position, which is the first that differs, or the last.
template <System S>
Recording recording_of(const Scenario<S>& scenario, const std::vector<std::string>& names, std::size_t position,
                       Guard guard) {
  const auto implementations = implementations_named<S>(names);
  Measure measure;
  read_setup<S>(measure, scenario.setup);
  Recording out;
  out.total = scenario.actions.size();
  out.range = positions_around(
      std::min(position, out.total), out.total,
      std::clamp<std::size_t>(recorded_cells_max / (measure.total.area + 1024), 16, recorded_positions_max));
  const auto start = [&](std::size_t implementation, std::size_t actions, PositionRange range,
                         volatile std::uint32_t& in_flight) {
    Scenario<S> prefix = scenario;
    prefix.actions.resize(actions);
    return run_source<S>(implementations[implementation], prefix, range, in_flight);
  };
  out.runs = record_runs(names, out.range, std::min(position, out.total), start, guard);
  out.range = out.runs.front().range;
  Past<S> past{scenario.setup};
  for (std::size_t i = 0; i < out.range.last; ++i) {
    if (i >= out.range.first) {
      CollectWords words;
      read_action<S>(words, past, scenario.actions[i]);
      out.actions.push_back({std::string{action_name(scenario.actions[i])}, std::move(words.fields)});
    }
    past.add(scenario.actions[i]);
  }
  return out;
}

}  // namespace lockstep
