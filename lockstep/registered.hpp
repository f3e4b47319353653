// Registers a system with the program and implements its services. One source per system contains
//
//   namespace { const lockstep::Registered<Lru> registered; }
//
// and must be linked as an object file: a linker drops an object of a static library that nothing references. The
// system's implementations may be registered in this source or in others.
#pragma once

#include "lockstep/any_system.hpp"
#include "lockstep/check_description.hpp"
#include "lockstep/labelling.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/exploring_of.hpp"
#include "lockstep/services/judging_of.hpp"
#include "lockstep/services/labelling.hpp"
#include "lockstep/services/problems.hpp"
#include "lockstep/services/searching_of.hpp"
#include "lockstep/services/timing_of.hpp"

namespace lockstep {

/// The services of a system. The program does not list it: checks (check.hpp) use it without a program.
template <System S>
class SystemOf : public AnySystem {
 public:
  SystemOf() = default;
  SystemOf(const SystemOf&) = delete;
  SystemOf& operator=(const SystemOf&) = delete;

  std::string_view name() const override { return S::name; }

  std::vector<ImplementationInfo> implementations() const override {
    std::vector<ImplementationInfo> out;
    for (const auto& each : registry<S>()) {
      out.push_back({.name = std::string{each.name},
                     .kind = each.kind,
                     .about = std::string{each.about},
                     .file = each.kind == Kind::plugin ? plugin_path(each.name) : each.where.file_name(),
                     .line = each.where.line()});
    }
    return out;
  }

  std::vector<Feature> features() const override { return empty_labels<S>().features; }
  bool judges_one() const override { return has_invariants<S>; }
  std::string description_flaw() const override { return lockstep::description_flaw<S>(); }

  std::expected<std::vector<std::string>, std::string> load(const std::string& plugin) const override {
    return register_plugin<S>(plugin);
  }

  const Judging& judging() const override { return judging_; }
  const Encoding& encoding() const override { return encoding_; }
  const Searching& searching() const override { return searching_; }
  const Labelling& labelling() const override { return labelling_; }
  const Exploring& exploring() const override { return exploring_; }
  const Timing& timing() const override { return timing_; }
  const Problems* problems() const override {
    if constexpr (requires { typename S::ProblemFormat; }) {
      static const ProblemsOf<S> problems;
      return &problems;
    } else {
      return nullptr;
    }
  }

 private:
  JudgingOf<S> judging_;
  EncodingOf<S> encoding_;
  SearchingOf<S> searching_;
  LabellingOf<S> labelling_;
  ExploringOf<S> exploring_;
  TimingOf<S> timing_;
};

template <System S>
class Registered final : public SystemOf<S> {
 public:
  Registered() { register_system(*this); }
};

}  // namespace lockstep
