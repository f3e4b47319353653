// What each implementation showed and answered at every step of a scenario, without the system's types: what a page
// draws (page/page.hpp).
//
// Each implementation runs in a child process. The child turns its positions into JSON, as differences from one position
// to the next, so that long scenarios on large boards stay small. What exceeds the bounds is cut: positions far from
// the one of interest, and fields that are too large to be looked at.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/base/grid.hpp"
#include "lockstep/describe/fields.hpp"

namespace lockstep {

class AnyScenario;
struct Guard;
struct Runner;

/// One field of a state or an answer, with its structure.
struct RecordedField {
  enum class Kind : std::uint8_t {
    value,     // a text
    board,     // a grid
    lines,     // a list whose items are lines of the text form
    sequence,  // a list that is one word of the text form: [{a=1 b=2},{a=3 b=4}]
  };
  Kind kind = Kind::value;
  std::string name;
  std::string text = {};                       // of a value
  Grid grid = {};                              // of a board
  std::string symbols = {};                    // of a board: its alphabet; empty: numbers
  std::vector<std::vector<Field>> items = {};  // of a list

  bool operator==(const RecordedField&) const = default;
};

/// A position or an answer.
using RecordedFields = std::vector<RecordedField>;

/// The fields of a plugin's text (plugin.hpp), with the structure of the fields that it answers for where it has one.
RecordedFields structured(const std::vector<Field>& fields, const RecordedFields& like);

/// Why a run has no more positions.
struct RunEnd {
  std::size_t step = 0;  // the first position that is missing
  std::string reason;    // for people: "threw std::out_of_range: vector::at", "died of signal 11 (Segmentation fault)"
};

/// A run inside its child process: functions that return its positions and answers.
struct RunSource {
  std::optional<RunEnd> end;
  std::function<RecordedFields(std::size_t position)> state;
  std::function<RecordedFields(std::size_t position)> answer;  // to the action before the position
};

/// Positions, counted in actions done, both ends included.
struct PositionRange {
  std::size_t first = 0;
  std::size_t last = 0;
  bool operator==(const PositionRange&) const = default;
};

/// A recorded run: its positions as a JSON array, beginning with the first of the range. An element is an object:
///
///   "s": the whole state, a list of fields          (at the first position, and where the fields change)
///   "d": changes of the state before, by field index (absent if nothing changed):
///          [1, "text"]      the value's text           [2, [17, "R", 18, "."]]     cells of a board, by index
///          [3, 0, 1, […]]   from item 0 on, 1 is replaced by […]        [4, {…}]   the whole field
///   "a": the answer, a list of fields               (absent at position 0)
///
/// A field is ["name", "text"], {"n": name, "b": [rows]} (a row of symbols is a text, one of numbers a list), or
/// {"n": name, "l": [items], "k": "lines" or "sequence"} (an item is a list of [name, text]).
struct RecordedRun {
  std::string implementation;
  PositionRange range;
  std::optional<RunEnd> end;
  std::string positions;
};

struct RecordedAction {
  std::string name;
  std::vector<Field> words;
};

/// A scenario's runs, all with the same range of positions; a run that ended early has fewer.
struct Recording {
  std::size_t total = 0;                // actions of the scenario
  PositionRange range;                  // less than 0 … total if the recording was cut
  std::vector<RecordedAction> actions;  // those that lead from the first to the last position
  std::vector<RecordedRun> runs;        // in the order of the implementations
};

/// The bytes of all runs together.
inline constexpr std::size_t recording_bytes_max = 2 << 20;
/// The bytes of the board cells that a child holds at once.
inline constexpr std::size_t recorded_cells_max = 256 << 20;
/// The most positions that a recording holds.
inline constexpr std::size_t recorded_positions_max = 5'000;
/// A field with more bytes is replaced by a sentence that says so; also one that takes too much of a run's bytes.
inline constexpr std::size_t recorded_field_max = 512 << 10;

/// Up to `most` of the positions 0 … total, those around one of them.
PositionRange positions_around(std::size_t position, std::size_t total, std::size_t most);

/// The run's positions as JSON (ASCII, without '<'), those around `position`, in at most one and a half times `bytes`.
RecordedRun recorded_run(
    const RunSource& source, PositionRange range, std::size_t position, std::size_t bytes,
    const std::function<void()>& tick = [] {});

/// The run of an implementation that answers in the system's types, inside this process. It ends where the implementation
/// throws. A page's module records with it, too: it uses no process and no file.
RunSource traced_source(const Runner& implementation, const AnyScenario& scenario, PositionRange range,
                        volatile std::uint32_t* in_flight);

/// The actions between the positions of a range.
std::vector<RecordedAction> recorded_actions(const AnyScenario& scenario, PositionRange range);

// The following run child processes (recording_runs.cpp).

/// Runs implementation number `implementation` through the first `actions` actions, with all positions of the range.
/// Called in a child; it writes the number of the action in flight.
using StartRun = std::function<RunSource(std::size_t implementation, std::size_t actions, PositionRange range,
                                         volatile std::uint32_t& in_flight)>;

/// Records all implementations with one range. `position` is always in it.
std::vector<RecordedRun> record_runs(const std::vector<std::string>& implementations, PositionRange range,
                                     std::size_t position, const StartRun& start, Guard guard,
                                     std::size_t bytes = recording_bytes_max);

/// The scenario's recording around a position, which is the first that differs, or the last.
Recording recording_of(const AnyScenario& scenario, const std::vector<std::string>& names, std::size_t position,
                       Guard guard);

}  // namespace lockstep
