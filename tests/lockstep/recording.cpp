#include "lockstep/services/recording.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "lockstep/services/judging.hpp"
#include "lockstep/system/typed.hpp"
#include "tests/lockstep/garden.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::json;

/// A run of boards with one row, of which each position differs from the one before in one cell.
RunSource wanderer(std::size_t columns) {
  RunSource out;
  out.state = [columns](std::size_t position) {
    RecordedField board{RecordedField::Kind::board, "board", {}, Grid{1, static_cast<int>(columns)}, ".x"};
    board.grid.cells[position % columns] = 1;
    return RecordedFields{{RecordedField::Kind::value, "position", std::to_string(position)}, board};
  };
  out.answer = [](std::size_t) { return RecordedFields{{RecordedField::Kind::value, "legal", "yes"}}; };
  return out;
}

/// The state at a position, from the differences of a recording with boards of one row. page/films.js does the same.
Json state_at(const RecordedRun& run, std::size_t position) {
  const Json positions = Json::parse(run.positions);
  Json fields;
  for (std::size_t at = run.range.first; at <= position; ++at) {
    const Json& one = positions.at(at - run.range.first);
    if (one.contains("s")) fields = one["s"];
    if (!one.contains("d")) continue;
    for (const Json& change : one["d"]) {
      Json& field = fields.at(change[0].get<std::size_t>());
      if (change.size() == 4) {
        Json items = Json::array();
        for (std::size_t i = 0; i < change[1]; ++i) items.push_back(field["l"][i]);
        for (const Json& item : change[3]) items.push_back(item);
        for (std::size_t i = change[1].get<std::size_t>() + change[2].get<std::size_t>(); i < field["l"].size(); ++i)
          items.push_back(field["l"][i]);
        field["l"] = items;
      } else if (change[1].is_string()) {
        field[1] = change[1];
      } else if (change[1].is_object()) {
        field = change[1];
      } else {
        for (std::size_t i = 0; i < change[1].size(); i += 2) {
          const auto cell = change[1][i].get<std::size_t>();
          auto row = field["b"][0].get<std::string>();
          row[cell] = change[1][i + 1].get<std::string>()[0];
          field["b"][0] = row;
        }
      }
    }
  }
  return fields;
}

TEST(Recording, DifferencesGiveBackEachPosition) {
  const RunSource source = wanderer(50);
  const RecordedRun run = recorded_run(source, {0, 120}, 7, 1 << 20);
  EXPECT_EQ(run.range.first, 0u);
  EXPECT_EQ(run.range.last, 120u);
  for (std::size_t position = 0; position <= 120; ++position) {
    std::string row(50, '.');
    row[position % 50] = 'x';
    const Json expected = {{"position", std::to_string(position)}, {{"n", "board"}, {"b", {row}}}};
    EXPECT_EQ(state_at(run, position), expected) << position;
  }
}

TEST(Recording, WhatDoesNotFitIsCutAroundThePosition) {
  const RunSource source = wanderer(50);
  const RecordedRun run = recorded_run(source, {0, 10'000}, 6'000, 4'000);
  EXPECT_GT(run.range.first, 5'900u);
  EXPECT_LE(run.range.first, 6'000u);
  EXPECT_GE(run.range.last, 6'000u);
  EXPECT_LT(run.range.last, 6'100u);
  EXPECT_LT(run.positions.size(), 5'000u);
  EXPECT_EQ(Json::parse(run.positions).size(), run.range.last - run.range.first + 1);
  EXPECT_EQ(state_at(run, 6'000)[0][1], "6000");
}

TEST(Recording, AFieldThatIsTooLargeIsReplacedByASentence) {
  const RunSource source = wanderer(recorded_field_max + 1);
  const RecordedRun run = recorded_run(source, {0, 3}, 0, 1 << 20);
  EXPECT_EQ(state_at(run, 3)[1][1], "(524289 cells: too large for a page)");
  EXPECT_LT(run.positions.size(), 1'000u);
}

/// States and answers of many fields with long words, of characters for which JSON takes six each.
RunSource talker(std::size_t fields, std::size_t words) {
  const auto all = [=](std::size_t position) {
    RecordedFields out;
    for (std::size_t i = 0; i < fields; ++i) {
      out.push_back({RecordedField::Kind::value, "field_" + std::to_string(i),
                     std::string(words, position % 2 == 0 ? '<' : '\x01')});
    }
    return out;
  };
  return {{}, all, all};
}

TEST(Recording, LongWordsAndManyFieldsStayInsideTheBytes) {
  constexpr std::size_t bytes = 256 << 10;
  for (const auto& [fields, words] : {std::pair{1, 100'000}, {20, 5'000}, {8'000, 1}, {800, 300}, {5, 1}}) {
    const RecordedRun run =
        recorded_run(talker(static_cast<std::size_t>(fields), static_cast<std::size_t>(words)), {0, 200}, 100, bytes);
    EXPECT_LT(run.positions.size(), bytes * 8 / 5) << fields << " fields, " << words << " characters each";
    EXPECT_LE(run.range.first, 100u);
    EXPECT_GE(run.range.last, 100u);
    EXPECT_EQ(run.positions.find('<'), std::string::npos);
    EXPECT_EQ(Json::parse(run.positions).size(), run.range.last - run.range.first + 1);
  }
}

TEST(Recording, ARunThatEndsHasThePositionsBefore) {
  RunSource source = wanderer(3);
  source.end = RunEnd{2, "threw std::out_of_range"};
  const RecordedRun run = recorded_run(source, {0, 5}, 2, 1 << 20);
  EXPECT_EQ(Json::parse(run.positions).size(), 2u);
  EXPECT_EQ(run.range.last, 5u);
  source.end = RunEnd{0, "threw"};
  EXPECT_EQ(recorded_run(source, {0, 5}, 2, 1 << 20).positions, "[]");
}

TEST(Recording, ARunThatDiesHasThePositionsBeforeAndTheReason) {
  const StartRun start = [](std::size_t implementation, std::size_t actions, PositionRange,
                            volatile std::uint32_t& at) {
    for (std::size_t i = 0; i < actions; ++i) {
      at = static_cast<std::uint32_t>(i);
      if (implementation == 1 && i == 4) std::raise(SIGKILL);
    }
    return wanderer(3);
  };
  const auto runs = record_runs({"sound", "mortal"}, {0, 9}, 5, start, Guard{});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_FALSE(runs[0].end);
  EXPECT_EQ(Json::parse(runs[0].positions).size(), 10u);
  ASSERT_TRUE(runs[1].end);
  EXPECT_EQ(runs[1].end->step, 5u);
  EXPECT_NE(runs[1].end->reason.find("signal 9"), std::string::npos) << runs[1].end->reason;
  EXPECT_EQ(Json::parse(runs[1].positions).size(), 5u);
}

TEST(Recording, AllRunsHaveTheNarrowestRange) {
  // The second run's positions are large, so that fewer of them fit.
  const StartRun start = [](std::size_t implementation, std::size_t, PositionRange, volatile std::uint32_t&) {
    RunSource out = wanderer(3);
    if (implementation == 1) {
      out.answer = [](std::size_t) {
        return RecordedFields{{RecordedField::Kind::value, "long", std::string(500, 'a')}};
      };
    }
    return out;
  };
  const auto runs = record_runs({"short", "long"}, {0, 500}, 250, start, Guard{}, 40'000);
  EXPECT_GT(runs[1].range.first, 200u);
  EXPECT_EQ(runs[0].range.first, runs[1].range.first);
  EXPECT_EQ(runs[0].range.last, runs[1].range.last);
  EXPECT_EQ(Json::parse(runs[0].positions).size(), Json::parse(runs[1].positions).size());
}

TEST(Recording, PositionsAroundOneAreInsideTheScenario) {
  for (std::size_t total = 0; total < 12; ++total) {
    for (std::size_t position = 0; position <= total; ++position) {
      const PositionRange range = positions_around(position, total, 5);
      EXPECT_LE(range.first, position);
      EXPECT_GE(range.last, position);
      EXPECT_LE(range.last, total);
      EXPECT_EQ(range.last - range.first + 1, std::min<std::size_t>(total + 1, 5));
    }
  }
}

TEST(Recording, FieldsKeepTheirStructure) {
  Garden::Setup garden = plot(1, 2);
  garden.beds.at(0, 1) = 1;
  garden.moles = {{0, 1, true}};
  const AnyScenario start = any_of<Garden>({.setup = garden, .actions = {}});
  const RecordedFields fields = traced_source(head_gardener, start, {0, 0}, nullptr).state(0);
  ASSERT_EQ(fields.size(), 7u);
  EXPECT_EQ(fields[0].text, "1");
  EXPECT_EQ(fields[5].kind, RecordedField::Kind::board);
  EXPECT_EQ(fields[6].kind, RecordedField::Kind::lines);
  const std::vector<Field> mole = {{"row", "0"}, {"column", "1"}, {"awake", "yes"}};
  EXPECT_EQ(fields[6].items.at(0), mole);
  // The same fields as a plugin prints them, and some that it should not.
  EXPECT_EQ(structured(snapshot_fields<Garden>(garden), fields), fields);
  auto wrong = snapshot_fields<Garden>(garden);
  wrong[5].text = "?!";
  EXPECT_EQ(structured(wrong, fields)[5].kind, RecordedField::Kind::value);
}

}  // namespace
}  // namespace lockstep
