#include "tools/verdict_json.hpp"

#include <nlohmann/json.hpp>

namespace lockstep {

std::string to_json(const Verdict& verdict) {
  nlohmann::json out{{"state", static_cast<int>(verdict.state)}, {"reason", verdict.reason}};
  if (const auto& d = verdict.divergence) {
    out["divergence"] = {
        static_cast<int>(d->kind), d->step, d->system, d->blamed, d->action, d->field, d->expected, d->actual};
  }
  return out.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string to_json(const FindingText& f) {
  const nlohmann::json out{f.signature,    f.file_name,      f.text,    f.explanation, f.minimal,
                           f.hidden_state, f.actions_before, f.actions, f.judgements,  f.engine};
  return out.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

FindingText finding_from(const std::string& json) {
  const auto in = nlohmann::json::parse(json);
  return {in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9]};
}

std::string to_json(const Explanation& e) {
  nlohmann::json lines = nlohmann::json::array();
  for (const auto& line : e.lines) {
    nlohmann::json words = nlohmann::json::array();
    for (const auto& word : line.words) words.push_back({word.name, word.text, static_cast<int>(word.matter)});
    lines.push_back({static_cast<int>(line.kind), line.name, static_cast<int>(line.matter), words});
  }
  const nlohmann::json out{e.signature, e.system, lines, e.complete, e.judgements, e.redrawn, e.redrawn_that_fail};
  return out.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Explanation explanation_from(const std::string& json) {
  const auto in = nlohmann::json::parse(json);
  Explanation out{in[0], in[1], {}, in[3], in[4], in[5], in[6]};
  for (const auto& line : in[2]) {
    auto& read = out.lines.emplace_back(ExplainedLine{
        static_cast<ExplainedLine::Kind>(line[0].get<int>()), line[1], static_cast<Matter>(line[2].get<int>()), {}});
    for (const auto& word : line[3]) read.words.push_back({word[0], word[1], static_cast<Matter>(word[2].get<int>())});
  }
  return out;
}

Verdict verdict_from(const std::string& json) {
  const auto in = nlohmann::json::parse(json);
  Verdict out{static_cast<Verdict::State>(in.at("state").get<int>()), {}, in.at("reason")};
  if (in.contains("divergence")) {
    const auto& d = in.at("divergence");
    out.divergence = Divergence{static_cast<DivergenceKind>(d[0].get<int>()), d[1], d[2], d[3], d[4], d[5], d[6], d[7]};
  }
  return out;
}

}  // namespace lockstep
