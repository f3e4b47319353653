#include "page/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "lockstep/error.hpp"
#include "lockstep/json.hpp"
#include "lockstep/report.hpp"
#include "lockstep/words.hpp"
#include "page/files.hpp"
#include "page/filled.hpp"

namespace lockstep::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t text_bytes_max = 600;
constexpr std::size_t items_max = 400;  // of one list
constexpr std::size_t data_bytes_max = 4'500'000;
constexpr int newest_schema = 3;  // of fuzz --json

/// The beginning of a text that is too long, and no half of a character.
std::string cut(std::string text) {
  if (text.size() <= text_bytes_max) return text;
  std::size_t end = text_bytes_max;
  while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

/// A value of a file, with its place. What is not as expected is BadInput.
class Value {
 public:
  Value(const Json& json, std::string where, std::size_t items)
      : json_{&json}, where_{std::move(where)}, items_{items} {}

  [[noreturn]] void refuse(const std::string& expected) const {
    throw BadInput{fmt::format("{}: expected {}, found {}", where_, expected, found())};
  }
  bool has(const char* name) const { return json_->is_object() && json_->contains(name); }
  bool is_null() const { return json_->is_null(); }
  Value operator[](const char* name) const {
    if (!json_->is_object()) refuse("an object");
    if (!json_->contains(name)) refuse(fmt::format("an object with the member '{}'", name));
    return {(*json_)[name], fmt::format("{}{}{}", where_, where_.ends_with(": ") ? "" : ".", name), items_};
  }
  std::size_t size() const {
    if (!json_->is_array()) refuse("an array");
    return json_->size();
  }
  Value item(std::size_t i) const { return {json_->at(i), fmt::format("{}[{}]", where_, i), items_}; }
  /// As many items as the page shows.
  std::vector<Value> items() const {
    std::vector<Value> out;
    for (std::size_t i = 0; i < std::min(size(), items_); ++i) out.push_back(item(i));
    return out;
  }
  std::size_t left_out() const { return size() - std::min(size(), items_); }
  /// The members of an object, as many as the page shows.
  std::vector<std::pair<std::string, Value>> members() const {
    if (!json_->is_object()) refuse("an object");
    std::vector<std::pair<std::string, Value>> out;
    for (const auto& [name, value] : json_->items()) {
      if (out.size() < items_) out.emplace_back(cut(name), Value{value, where_ + "." + cut(name), items_});
    }
    return out;
  }
  std::string text() const {
    if (!json_->is_string()) refuse("a string");
    return cut(json_->get<std::string>());
  }
  /// Not cut: the name of a file.
  std::string whole_text() const {
    if (!json_->is_string()) refuse("a string");
    return json_->get<std::string>();
  }
  Json number() const {
    if (!json_->is_number()) refuse("a number");
    return *json_;
  }
  Json number_or_null() const { return json_->is_null() ? Json(nullptr) : number(); }
  bool flag() const {
    if (!json_->is_boolean()) refuse("true or false");
    return json_->get<bool>();
  }
  Json texts() const {
    Json out = Json::array();
    for (const Value& each : items()) out.push_back(each.text());
    return out;
  }
  Json numbers() const {
    Json out = Json::array();
    for (const Value& each : items()) out.push_back(each.number());
    return out;
  }
  /// If there are more than the page holds: evenly spaced ones, the last among them.
  Json samples() const {
    const std::size_t kept = std::min(size(), items_);
    Json out = Json::array();
    for (std::size_t i = 0; i < kept; ++i) out.push_back(item((i + 1) * size() / kept - 1).number());
    return out;
  }
  std::string list() const {
    std::vector<std::string> out;
    for (const Value& each : items()) out.push_back(each.text());
    return cut(joined(out, ", "));
  }

 private:
  std::string found() const {
    if (json_->is_object()) return json_->empty() ? "an empty object" : "an object without it";
    if (json_->is_array()) return "an array";
    if (json_->is_string()) return "a string";
    if (json_->is_number()) return "the number " + json_->dump();
    return json_->dump();  // true, false or null
  }

  const Json* json_;
  std::string where_;
  std::size_t items_;
};

Json parsed(const RunFile& file) {
  try {
    return Json::parse(file.text);
  } catch (const Json::exception& fault) {
    const std::string_view said =
        fault.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    const std::size_t at = said.find("parse error at ");
    throw BadInput{file.name + ": not JSON: " + std::string{at < said.size() ? said.substr(at) : said}};
  }
}

// The run ----------------------------------------------------------------------------------------

Json engine_json(const Value& engine) {
  return {{"name", engine["name"].text()},
          {"scenarios", engine["scenarios"].number()},
          {"steps", engine["steps"].number()},
          {"seconds", engine["seconds"].number()},
          {"features", engine["features_first"].number()},
          {"findings", engine["findings"].number()},
          {"canaries", engine["canaries"].number()}};
}

Json finding_json(const Value& finding, const RunContent& content) {
  const std::string file = finding["file"].whole_text();
  return {{"signature", finding["signature"].text()},
          {"file", cut(file)},
          {"command", content.command + " html " + shell_word(file)},
          {"page", content.page_of(file)},
          {"engine", finding["engine"].text()},
          {"explanation", finding["explanation"].text()},
          {"minimal", finding["minimal"].flag()},
          {"hidden", finding["hidden_state"].flag()},
          {"unstable", finding["unstable"].flag()},
          {"seconds", finding["seconds"].number()},
          {"scenarios", finding["scenarios"].number()},
          {"actions", finding["actions"].number()}};
}

/// All arrays have one length, and the seconds grow.
Json timeline_json(const Value& timeline) {
  const Value seconds = timeline["seconds"];
  const auto column = [&](const Value& of) {
    if (of.size() != seconds.size()) of.refuse(fmt::format("{} numbers, as many as seconds", seconds.size()));
    return of.samples();
  };
  Json out{{"seconds", seconds.samples()}, {"features", column(timeline["features"])}, {"engines", Json::object()}};
  const auto values = seconds.items();
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i].number() <= values[i - 1].number()) values[i].refuse("more seconds than before");
  }
  for (const auto& [name, engine] : timeline["engines"].members()) {
    for (const char* const count : {"scenarios", "steps", "features_first", "findings"})
      out["engines"][name][count] = column(engine[count]);
  }
  return out;
}

Json canary_json(const Value& canary) {
  if (canary.is_null()) return nullptr;
  return {{"name", canary["name"].text()},
          {"found", canary["found"].flag()},
          {"engine", canary["engine"].text()},
          {"seconds", canary["seconds"].number()},
          {"scenarios", canary["scenarios"].number()}};
}

Json game_json(const Value& game, const RunContent& content) {
  Json engines = Json::array();
  for (const Value& engine : game["engines"].items()) engines.push_back(engine_json(engine));
  Json findings = Json::array();
  for (const Value& finding : game["findings"].items()) findings.push_back(finding_json(finding, content));
  Json features = Json::array();
  for (const auto& [name, buckets] : game["features"].members())
    features.push_back({{"name", name}, {"buckets", buckets.texts()}});
  // Schema 2 had neither.
  const bool finished = !game.has("finished") || game["finished"].flag();
  const Json timeline =
      !game.has("timeline") || game["timeline"].is_null() ? Json(nullptr) : timeline_json(game["timeline"]);
  return {{"name", game["name"].text()},
          {"implementations", game["simulators"].texts()},
          {"seconds", game["seconds"].number()},
          {"scenarios", game["scenarios"].number()},
          {"steps", game["steps"].number()},
          {"engines", engines},
          {"reached", game["features_reached"].number()},
          {"features", features},
          {"canary", canary_json(game["canary"])},
          {"findings", findings},
          {"findingsLeftOut", game["findings"].left_out()},
          {"faults", game["faults"].texts()},
          {"ignored", game["ignored"].number()},
          {"mended", game["mended"].texts()},
          {"finished", finished},
          {"timeline", timeline}};
}

Json run_json(const Value& run, const RunContent& content) {
  if (!run.has("games") || !run.has("seed") || !run.has("schema"))
    run.refuse("what 'fuzz --json' wrote, with the members 'schema', 'seed' and 'games'");
  if (run["schema"].number() > newest_schema)
    run["schema"].refuse(fmt::format("a schema up to {} (this file is of a newer lockstep)", newest_schema));
  Json games = Json::array();
  for (const Value& game : run["games"].items()) games.push_back(game_json(game, content));
  return {{"gamesLeftOut", run["games"].left_out()},
          {"seed", run["seed"].number().dump()},  // as text: the browser's numbers have 53 bits
          {"jobs", run["jobs"].number()},
          {"exit", run["exit"].number()},
          {"program", run.has("program") ? run["program"].text() : ""},
          {"games", games}};
}

// What other verbs wrote -------------------------------------------------------------------------

/// Some tables under one title. A cell is a text, a number or null.
Json section(const std::string& kind, const std::string& title, const std::string& note) {
  return {{"kind", kind}, {"title", title}, {"note", note}, {"tables", Json::array()}};
}
Json table(const std::string& title, std::initializer_list<const char*> head, Json rows, std::size_t left_out) {
  Json names = Json::array();
  for (const char* const name : head) names.push_back(name);
  return {{"title", title}, {"head", names}, {"rows", std::move(rows)}, {"leftOut", left_out}};
}

/// Left: where the labels of a run's game belong.
Json labels_json(const Value& game) {
  Json ways = Json::array();
  std::vector<std::string> names;
  for (const Value& way : game["ways"].items()) {
    names.push_back(way["name"].text());
    ways.push_back({{"name", names.back()}, {"scenarios", way["scenarios"].number()}});
  }
  Json features = Json::array();
  for (const Value& feature : game["features"].items()) {
    Json values = Json::array();
    for (const auto& [value, by_way] : feature["values"].members()) {
      Json counts = Json::array();
      for (const auto& name : names)
        counts.push_back(by_way.has(name.c_str()) ? by_way[name.c_str()].number() : Json(0));
      values.push_back({value, counts});
    }
    features.push_back({{"name", feature["name"].text()}, {"values", values}});
  }
  return {{"game", game["game"].text()}, {"ways", ways}, {"features", features}};
}

Json certificate_row(const Value& of) {
  const Value agreed = of["agreed"];
  const std::string result = agreed.is_null() ? "not covered" : agreed.flag() ? "all agree" : "≠ they differ";
  const std::string exploration = of["exploration"].text();
  return {of["game"].text(),
          (exploration.empty() ? "" : exploration + ": ") + of["about"].text(),
          of["simulators"].list(),
          of["bounds"].list(),
          of["positions"].number(),
          of["steps"].number(),
          result,
          of["seconds"].number()};
}

Json proofs_section(const Value& proofs) {
  Json rows = Json::array();
  for (const Value& claim : proofs["claims"].items()) {
    rows.push_back({claim["game"].text(), claim["claim"].text(), claim["says"].text(), claim["answer"].text(),
                    claim["variables"].number(), claim["clauses"].number(), claim["seconds"].number()});
  }
  Json out = section("proofs", "Proofs", "Claims about kernels, on every board of the real size.");
  out["tables"].push_back(table("", {"system", "claim", "says", "answer", "variables", "clauses", "seconds"}, rows,
                                proofs["claims"].left_out()));
  return out;
}

Json canaries_section(const Value& canaries) {
  Json rows = Json::array();
  for (const Value& row : canaries["rows"].items()) {
    rows.push_back({row["game"].text(), row["canary"].text(), row["engine"].text(), row["detected"].number(),
                    row["trials"].number(), row["median_seconds"].number_or_null(),
                    row["median_scenarios"].number_or_null()});
  }
  Json out = section("canaries", "Canaries", "How long a known mistake stays unseen. A dash: it was not found.");
  out["tables"].push_back(table("",
                                {"system", "canary", "engine", "found", "trials", "median seconds", "median scenarios"},
                                rows, canaries["rows"].left_out()));
  return out;
}

Json comparison_row(const Value& one) {
  return {one["name"].text(),
          one["verdict"].text(),
          one["before"].number_or_null(),
          one["after"].number_or_null(),
          one["ratio"].number_or_null(),
          one["low"].number_or_null(),
          one["high"].number_or_null()};
}

std::string label_of(const Value& version) {
  if (version.has("baseline") && !version["baseline"].is_null()) return version["baseline"].text();
  return version.has("revision") ? version["revision"].text() : "?";
}

Json compare_section(const Value& compared) {
  Json out =
      section("compare", "Compared versions", label_of(compared["before"]) + " → " + label_of(compared["after"]));
  Json rows = Json::array();
  for (const Value& one : compared["behaviour"].items()) {
    rows.push_back({one["game"].text(), one["verdict"].text(), one["reason"].is_null() ? "" : one["reason"].text(),
                    one["scenarios"].number_or_null(), one["steps"].number_or_null()});
  }
  if (!rows.empty()) {
    out["tables"].push_back(table("Behaviour", {"system", "verdict", "reason", "scenarios", "steps"}, rows,
                                  compared["behaviour"].left_out()));
  }
  for (const auto& [member, title] : {std::pair{"times", "Processor time, ns"}, {"instructions", "Instructions"}}) {
    rows = Json::array();
    for (const Value& one : compared[member].items()) rows.push_back(comparison_row(one));
    if (rows.empty()) continue;
    out["tables"].push_back(table(title, {"benchmark", "verdict", "before", "after", "ratio", "low", "high"}, rows,
                                  compared[member].left_out()));
  }
  return out;
}

/// The ratio of each benchmark in each version to that in the first.
Json history_section(const Value& history) {
  Json versions = Json::array();
  for (const Value& version : history["versions"].items()) versions.push_back(label_of(version));
  Json series = Json::array();
  for (const auto& [name, of_versions] : history["history"].members()) {
    Json ratios = Json::array();
    for (const Value& one : of_versions.items()) ratios.push_back(one["ratio"].number_or_null());
    // A version without the benchmark has no figure, so the place of the others is not known.
    if (ratios.size() == versions.size()) series.push_back({{"name", name}, {"values", ratios}});
  }
  Json out = section("history", "History",
                     history["measure"].text() + ", as a ratio to " +
                         (versions.empty() ? "nothing" : versions[0].get<std::string>()) + "; below 1 is faster");
  out["history"] = {{"versions", versions}, {"series", series}};
  return out;
}

/// Adds what a file holds, by its members.
void add_file(Json& data, const RunFile& file, const Json& json, std::size_t items) {
  const Value value{json, file.name + ": ", items};
  const auto of_labels = [&] {
    return value.has("games") && value["games"].size() > 0 && value["games"].item(0).has("ways");
  };
  Json added;
  if (value.has("claims")) {
    added = proofs_section(value);
  } else if (value.has("rows") && value.has("ratios")) {
    added = canaries_section(value);
  } else if (value.has("history") && value.has("versions")) {
    added = history_section(value);
  } else if (value.has("behaviour") && value.has("times")) {
    added = compare_section(value);
  } else if (value.has("levels") && value.has("positions")) {
    const auto same = [](const Json& each) { return each["kind"] == "certificates"; };
    auto found = std::ranges::find_if(data["sections"], same);
    if (found == data["sections"].end()) {
      added = section("certificates", "Certificates", "What was judged of everything inside a bound.");
      added["tables"].push_back(
          table("", {"system", "explored", "implementations", "bounds", "positions", "steps", "result", "seconds"},
                Json::array(), 0));
      data["sections"].push_back(added);
      found = data["sections"].end() - 1;
    }
    (*found)["tables"][0]["rows"].push_back(certificate_row(value));
    return;
  } else if (of_labels()) {
    for (const Value& game : value["games"].items()) data["labels"].push_back(labels_json(game));
    return;
  } else {
    throw BadInput{file.name +
                   ": expected what labels, canaries, explore, lockstep-prove or compare wrote with --json"};
  }
  added["file"] = cut(file.name);
  data["sections"].push_back(added);
}

}  // namespace

bool is_json(const std::string& text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at != std::string::npos && (text[at] == '{' || text[at] == '[');
}

std::string html_of(const RunContent& content) {
  const Json run = parsed(content.run);
  std::vector<Json> more;
  for (const RunFile& file : content.more) more.push_back(parsed(file));
  std::string data;
  for (std::size_t items = items_max;; items /= 2) {
    Json all{{"version", 1},
             {"file", cut(content.run.name)},
             {"command", content.command},
             {"doing", cut(content.doing)},
             {"written", content.doing.empty() ? Json(nullptr) : Json(std::time(nullptr))},
             {"run", run_json(Value{run, content.run.name + ": ", items}, content)},
             {"itemsLeft", items < items_max ? Json(items) : Json(nullptr)},  // lists are shorter than they could be
             {"sections", Json::array()},
             {"labels", Json::array()}};
    for (std::size_t i = 0; i < more.size(); ++i) add_file(all, content.more[i], more[i], items);
    data = json_text(all);
    if (data.size() <= data_bytes_max || items <= 1) break;
  }
  std::string d3_text;
  for (const std::string_view part : d3) d3_text.append(part).append("\n");
  const std::pair<std::string_view, std::string> parts[] = {
      {"{{title}}", escaped("lockstep: " + cut(content.run.name))},
      {"{{style}}", std::string{page_css} + std::string{run_css}},
      {"{{data}}", std::move(data)},
      {"{{d3}}", std::move(d3_text)},
      {"{{script}}", std::string{element_js} + std::string{run_js}},
  };
  return filled(run_html, parts);
}

}  // namespace lockstep::page
