// A registered system, as the program and campaigns see it: its vocabulary (scenario.hpp), its implementations, and its
// scenarios as text and bytes. What they do with a scenario are functions in services/ and explore/. None is called inside
// a step loop: the finest grain is one scenario.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/base/error.hpp"
#include "lockstep/describe/scenario.hpp"
#include "lockstep/text/text.hpp"

namespace lockstep {

class AnySystem {
 public:
  explicit AnySystem(const SystemParts& parts) : parts_{parts} {}
  AnySystem(const AnySystem&) = delete;
  AnySystem& operator=(const AnySystem&) = delete;

  const Vocabulary& vocabulary() const { return parts_.vocabulary; }
  std::string_view name() const { return vocabulary().name(); }
  const SystemParts& parts() const { return parts_; }
  /// In registration order.
  const std::vector<Runner>& implementations() const { return vocabulary().implementations(); }
  std::span<const Feature> features() const { return vocabulary().features(); }

  std::vector<std::string> action_names() const;
  Parsed<AnyScenario> parse(std::string_view text) const { return parse_scenario(vocabulary(), text); }
  /// The scenario's text in canonical form, without comments.
  Parsed<std::string> canonical(std::string_view text) const;
  /// The text of a scenario that is given as bytes (codec.hpp). An error if they contain more actions than a text may.
  Parsed<std::string> unpack(std::span<const std::uint8_t> bytes) const;
  /// The format of the original problem. Null: the system does not come from one.
  const AnyProblem* problem() const { return parts_.problem == nullptr ? nullptr : parts_.problem(); }

 private:
  SystemParts parts_;
};

/// The source file of an implementation's registration, as the compiler was given it; of a plugin its path.
std::string source_file(const Runner& implementation);

/// The registered systems, in link order. BadInput, with what to do, if two systems share a name, if a system has no
/// reference, if two of its implementations share a name or one has a name that cannot be written in a text, or if its
/// description has a mistake.
std::span<const AnySystem* const> all_systems();
/// The registered system of a program that is linked for one.
inline const AnySystem& this_system() { return *all_systems().front(); }
inline const Vocabulary& this_vocabulary() { return this_system().vocabulary(); }
/// Refuses a system as all_systems() does.
void refuse_mistakes(const AnySystem& system);
/// Null if no system has that name.
const AnySystem* find_system(std::string_view name);

/// The implementations to judge. The reference comes first, even if it is not named; the name "reference" means the
/// system's reference. No names: every yardstick and optimized implementation. An unknown name is an error; its message
/// suggests the nearest name, or lists all.
std::expected<std::vector<std::string>, std::string> resolve_implementations(const AnySystem& system,
                                                                             const std::vector<std::string>& names);
/// As above, but throws BadInput for an unknown name, or if none is left beside the reference. (The only implementation
/// of a system is judged alone if the system has invariants.) Loads the plugins that are named.
std::vector<std::string> implementations_to_judge(const AnySystem& system, const std::vector<std::string>& names);
/// One implementation by name. No name: the fastest, which is the optimized implementation that was registered last.
std::expected<std::string, std::string> resolve_implementation(const AnySystem& system, const std::string& name);

}  // namespace lockstep
