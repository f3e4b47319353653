// A system behind an interface of texts, so that the program and campaigns need none of its types.
//
// It offers services, each for one kind of user (services/): judging, encoding, searching, labelling, exploring, and the
// original problem's format. Registered<S> (registered.hpp) implements them all for a system. No service is called inside
// a step loop: the finest grain is one scenario.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/error.hpp"
#include "lockstep/labels.hpp"
#include "lockstep/registry.hpp"

namespace lockstep {

class Encoding;
class Exploring;
class Judging;
class Labelling;
class Problems;
class Searching;

struct ImplementationInfo {
  std::string name;
  Kind kind;
  std::string about;
};

class AnySystem {
 public:
  virtual ~AnySystem() = default;

  virtual std::string_view name() const = 0;
  /// In the order of their registration.
  virtual std::vector<ImplementationInfo> implementations() const = 0;
  virtual std::vector<Feature> features() const = 0;
  /// Registers the implementations of a plugin (plugin.hpp): their names, or why not.
  virtual std::expected<std::vector<std::string>, std::string> load(const std::string& plugin) const = 0;

  virtual const Judging& judging() const = 0;
  virtual const Encoding& encoding() const = 0;
  virtual const Searching& searching() const = 0;
  virtual const Labelling& labelling() const = 0;
  virtual const Exploring& exploring() const = 0;
  /// Null when the system has no such format.
  virtual const Problems* problems() const = 0;
};

/// Adds a system to all_systems(). It must outlive main, as Registered<S> does.
void register_system(const AnySystem& system);

/// The registered systems, in the order in which they were linked. InternalError when two have one name, when two
/// implementations of a system have, or when a system has no reference.
std::span<const AnySystem* const> all_systems();
/// Null when there is none of that name.
const AnySystem* find_system(std::string_view name);

/// The implementations to judge: the named ones, "reference" standing for the system's reference; the
/// reference goes first even when it is not named. No names: all that must equal it too, yardsticks and optimized ones.
/// An unknown name is an error that names the nearest one, or all.
std::expected<std::vector<std::string>, std::string> resolve_implementations(const AnySystem& system,
                                                                             const std::vector<std::string>& names);
/// The same, with BadInput for an unknown name or when none is left beside the reference. Plugins that are named are
/// loaded.
std::vector<std::string> implementations_named(const AnySystem& system, const std::vector<std::string>& names);
/// One implementation by name; no name: the fastest, which is the optimized one that was registered last.
std::expected<std::string, std::string> resolve_implementation(const AnySystem& system, const std::string& name);

}  // namespace lockstep
