#include "page/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string_view>
#include <utility>

#include "lockstep/base/error.hpp"
#include "lockstep/services/report.hpp"
#include "page/files.hpp"
#include "page/film.hpp"

namespace lockstep::page {
namespace {

constexpr std::size_t items_max = 400;  // of one list
constexpr std::size_t data_bytes_max = 4'500'000;
constexpr int newest_schema = 4;  // of fuzz --json

std::string shown(std::string text) { return cut(std::move(text), 600); }

/// What the page takes from the files. The shape of an object has the shape of each member; a member whose name ends in
/// '|null' may be null, one whose name ends in '?' may be absent, too. {"*": SHAPE} is an object with any names, whose
/// members become pairs of name and value, because a browser would order an object by them. [SHAPE] is a list. A value is
///   text        cut if it is too long
///   path        a text that is not cut: the name of a file
///   number      or digits: a number as text, because the browser's numbers have 53 bits
///   schema      a number up to newest_schema
///   flag        true or false
///   times       numbers that grow
///   samples     as many numbers as the times before them
constexpr std::string_view run_shape = R"({
  "schema": "schema", "seed": "digits", "jobs": "number", "exit": "number", "program?": "text",
  "systems": [{
    "name": "text", "implementations": ["text"], "seconds": "number", "scenarios": "number", "steps": "number",
    "engines": [{"name": "text", "scenarios": "number", "steps": "number", "seconds": "number",
                 "features_first": "number", "findings": "number", "canaries": "number"}],
    "features_reached": "number", "features": {"*": ["text"]},
    "canary|null": {"name": "text", "found": "flag", "engine": "text", "seconds": "number", "scenarios": "number"},
    "findings": [{"signature": "text", "file": "path", "engine": "text", "explanation": "text", "minimal": "flag",
                  "hidden_state": "flag", "unstable": "flag", "seconds": "number", "scenarios": "number",
                  "actions": "number"}],
    "faults": ["text"], "ignored": "number", "mended": ["text"], "finished?": "flag",
    "timeline?": {"seconds": "times", "features": "samples",
                  "engines": {"*": {"scenarios": "samples", "steps": "samples", "features_first": "samples",
                                    "findings": "samples"}}}
  }]
})";

/// What another verb wrote, which is known by a part that it has.
struct Kind {
  const char* name;
  const char* part;
  std::string_view shape;
};
constexpr Kind kinds[] = {
    {"proofs", "/claims", R"({
       "claims": [{"system": "text", "claim": "text", "says": "text", "answer": "text", "variables": "number",
                   "clauses": "number", "seconds": "number"}]
     })"},
    {"canaries", "/ratios", R"({
       "rows": [{"system": "text", "canary": "text", "engine": "text", "detected": "number", "trials": "number",
                 "median_seconds|null": "number", "median_scenarios|null": "number"}]
     })"},
    {"history", "/history", R"({
       "versions": [{"baseline?": "text", "revision?": "text"}], "measure": "text",
       "history": {"*": [{"ratio|null": "number"}]}
     })"},
    {"compare", "/behaviour", R"({
       "before": {"baseline?": "text", "revision?": "text"}, "after": {"baseline?": "text", "revision?": "text"},
       "behaviour": [{"system": "text", "verdict": "text", "reason|null": "text", "scenarios|null": "number",
                      "steps|null": "number"}],
       "times": [{"name": "text", "verdict": "text", "before|null": "number", "after|null": "number",
                  "ratio|null": "number", "low|null": "number", "high|null": "number"}],
       "instructions": [{"name": "text", "verdict": "text", "before|null": "number", "after|null": "number",
                         "ratio|null": "number", "low|null": "number", "high|null": "number"}]
     })"},
    {"certificates", "/levels", R"({
       "system": "text", "exploration": "text", "about": "text", "implementations": ["text"], "bounds": ["text"],
       "positions": "number", "steps": "number", "agreed|null": "flag", "seconds": "number"
     })"},
    {"labels", "/systems/0/ways", R"({
       "systems": [{"system": "text", "ways": [{"name": "text", "scenarios": "number"}],
                  "features": [{"name": "text", "values": {"*": {"*": "number"}}}]}]
     })"},
};

/// Takes what a shape says from a file, of each list as many items as the page shows. What is not as expected is
/// BadInput with its place.
class Taker {
 public:
  Taker(const RunFile& file, std::size_t items) : file_{file.name}, items_{items} {}

  Json taken(const Json& file, std::string_view shape) { return taken(file, Json::parse(shape), file_); }

 private:
  Json taken(const Json& value, const Json& shape, const std::string& place) {
    if (shape.is_array()) return list(value, shape[0], place);
    if (shape.is_object()) return shape.contains("*") ? pairs(value, shape["*"], place) : object(value, shape, place);
    const auto type = shape.get<std::string>();
    if (type == "times" || type == "samples") return samples(value, type == "times", place);
    if (type == "flag") {
      expect(value.is_boolean(), "true or false", value, place);
    } else if (type == "text" || type == "path") {
      expect(value.is_string(), "a string", value, place);
    } else {
      expect(value.is_number(), "a number", value, place);
      expect(type != "schema" || value <= newest_schema,
             fmt::format("a schema up to {} (this file is of a newer lockstep)", newest_schema), value, place);
    }
    if (type == "text") return shown(value.get<std::string>());
    return type == "digits" ? Json(value.dump()) : value;
  }

  static void expect(bool is_so, const std::string& expected, const Json& value, const std::string& place) {
    if (is_so) return;
    std::string found = value.dump();  // true, false or null
    if (value.is_object()) found = value.empty() ? "an empty object" : "an object without it";
    else if (value.is_array()) found = "an array";
    else if (value.is_string()) found = "a string";
    else if (value.is_number()) found = "the number " + found;
    throw BadInput{fmt::format("{}: expected {}, found {}", place, expected, found)};
  }

  Json list(const Json& value, const Json& shape, const std::string& place) {
    expect(value.is_array(), "an array", value, place);
    Json out = Json::array();
    for (std::size_t i = 0; i < std::min(value.size(), items_); ++i)
      out.push_back(taken(value[i], shape, fmt::format("{}[{}]", place, i)));
    return out;
  }

  Json pairs(const Json& value, const Json& shape, const std::string& place) {
    expect(value.is_object(), "an object", value, place);
    Json out = Json::array();
    for (const auto& [name, member] : value.items()) {
      if (out.size() == items_) break;
      out.push_back(Json::array({shown(name), taken(member, shape, inside(place, shown(name)))}));
    }
    return out;
  }

  /// Beside a list of objects: how many of them are left out.
  Json object(const Json& value, const Json& shape, const std::string& place) {
    expect(value.is_object(), "an object", value, place);
    Json out = Json::object();
    for (const auto& [key, inner] : shape.items()) {
      const bool optional = key.ends_with('?');
      const bool nullable = optional || key.ends_with("|null");
      const std::string name = key.substr(0, key.find_first_of("?|"));
      const auto found = value.find(name);
      expect(found != value.end() || optional, "an object with the member '" + name + "'", value, place);
      if (found == value.end() || (nullable && found->is_null())) {
        out[name] = nullptr;
        continue;
      }
      out[name] = taken(*found, inner, inside(place, name));
      if (inner.is_array() && inner[0].is_object()) out[name + "_left_out"] = found->size() - out[name].size();
    }
    return out;
  }

  /// If there are more than the page holds: evenly spaced ones, the last among them.
  Json samples(const Json& value, bool are_times, const std::string& place) {
    expect(value.is_array(), "an array", value, place);
    if (are_times) times_ = value.size();
    expect(value.size() == times_, fmt::format("{} numbers, as many as seconds", times_), value, place);
    const std::size_t kept = std::min(times_, items_);
    Json out = Json::array();
    for (std::size_t i = 0; i < kept; ++i) {
      const std::size_t at = (i + 1) * times_ / kept - 1;
      const std::string here = fmt::format("{}[{}]", place, at);
      out.push_back(taken(value[at], "number", here));
      expect(!are_times || i == 0 || out[i] > out[i - 1], "more seconds than before", value[at], here);
    }
    return out;
  }

  /// A file's name is followed by ": ", a member's by '.'.
  std::string inside(const std::string& place, const std::string& name) const {
    return place + (place == file_ ? ": " : ".") + name;
  }

  std::string file_;
  std::size_t items_;
  std::size_t times_ = 0;  // how many there are
};

Json parsed(const RunFile& file) {
  try {
    Json out = Json::parse(file.text);
    rename_words(out);
    return out;
  } catch (const Json::exception& fault) {
    const std::string_view said =
        fault.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
    const std::size_t at = said.find("parse error at ");
    throw BadInput{file.name + ": not JSON: " + std::string{at < said.size() ? said.substr(at) : said}};
  }
}

Json run_json(const Json& run, const RunContent& content, std::size_t items) {
  if (!run.contains("schema") || !run.contains("seed") || !run.contains("systems")) {
    throw BadInput{content.run.name +
                   ": expected what 'fuzz --json' wrote, with the members 'schema', 'seed' and 'systems'"};
  }
  Json out = Taker{content.run, items}.taken(run, run_shape);
  for (Json& system : out["systems"]) {
    for (Json& finding : system["findings"]) {
      const auto file = finding["file"].get<std::string>();
      finding.erase("file");
      finding["command"] = content.command + " html " + shell_word(file);
      finding["page"] = content.page_of(file);
    }
  }
  return out;
}

Json file_json(const Json& json, const RunFile& file, std::size_t items) {
  for (const Kind& kind : kinds) {
    if (!json.contains(Json::json_pointer{kind.part})) continue;
    Json out = Taker{file, items}.taken(json, kind.shape);
    out["kind"] = kind.name;
    out["file"] = shown(file.name);
    return out;
  }
  throw BadInput{file.name + ": expected what labels, canaries, explore, lockstep-prove or compare wrote with --json"};
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
             {"file", shown(content.run.name)},
             {"command", content.command},
             {"doing", shown(content.doing)},
             {"written", content.doing.empty() ? Json(nullptr) : Json(std::time(nullptr))},
             {"run", run_json(run, content, items)},
             {"itemsLeft", items < items_max ? Json(items) : Json(nullptr)},  // lists are shorter than they could be
             {"more", Json::array()}};
    for (std::size_t i = 0; i < more.size(); ++i) all["more"].push_back(file_json(more[i], content.more[i], items));
    data = json_text(all);
    if (data.size() <= data_bytes_max || items <= 1) break;
  }
  std::string d3 = "/*\n" + files().at("d3/LICENSE") + "*/\n";
  for (const auto& [name, text] : files()) {
    if (name.starts_with("d3/d3-")) d3.append("\n").append(text);
  }
  const std::pair<std::string_view, std::string> parts[] = {
      {"{{scripts}}", "'unsafe-inline'"},
      {"{{title}}", escaped("lockstep: " + shown(content.run.name))},
      {"{{style}}", files().at("page.css") + files().at("run.css")},
      {"{{data}}", std::move(data)},
      {"{{d3}}", std::move(d3)},
      {"{{script}}", files().at("element.js") + files().at("run.js")},
  };
  return filled(files().at("head.html") + files().at("run.html"), parts);
}

}  // namespace lockstep::page
