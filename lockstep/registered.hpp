// Registers a system with the program and implements its services. One source per system contains
//
//   namespace { const lockstep::Registered<Lru> registered; }
//
// and must be linked as an object file: a linker drops an object of a static library that nothing references. The
// system's implementations may be registered in this source or in others.
#pragma once

#include "lockstep/any_system.hpp"
#include "lockstep/plugin.hpp"
#include "lockstep/scenario_of.hpp"
#include "lockstep/services/encoding.hpp"
#include "lockstep/services/exploring_of.hpp"
#include "lockstep/services/judging.hpp"
#include "lockstep/services/labelling.hpp"
#include "lockstep/services/problems.hpp"
#include "lockstep/services/searching.hpp"
#include "lockstep/services/timing.hpp"

namespace lockstep {

/// The services of a system. The program does not list it: checks (check.hpp) use it without a program.
template <System S>
class SystemOf : public AnySystem {
 public:
  SystemOf() = default;
  SystemOf(const SystemOf&) = delete;
  SystemOf& operator=(const SystemOf&) = delete;

  const Vocabulary& vocabulary() const override { return lockstep::vocabulary<S>(); }

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
    if constexpr (requires { typename S::ProblemFormat; }) return problems_of<S>();
    else return nullptr;
  }

 private:
  Judging judging_{lockstep::vocabulary<S>()};
  Encoding encoding_{lockstep::vocabulary<S>()};
  Searching searching_{lockstep::vocabulary<S>()};
  Labelling labelling_{lockstep::vocabulary<S>()};
  ExploringOf<S> exploring_;
  Timing timing_{lockstep::vocabulary<S>()};
};

template <System S>
class Registered final : public SystemOf<S> {
 public:
  Registered() { register_system(*this); }
};

}  // namespace lockstep
