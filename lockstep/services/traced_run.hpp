// A run inside this process as the source of a recording. It uses no process and no file, so a page's module
// (page/module.cpp) records with the same code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lockstep/fields.hpp"
#include "lockstep/scenario.hpp"
#include "lockstep/services/recording.hpp"

namespace lockstep {

/// Collects fields with their structure. Lists inside the items of a list are texts.
class CollectRecorded final : public Wording {
 public:
  RecordedFields fields;

  void word(std::string_view name, std::string text) override;
  void board(std::string_view name, Grid& grid, int rows, int columns, const Alphabet& alphabet) override;
  void visit_list(std::string_view name, Items& items, int lo, int hi) override;
  void visit_items(std::string_view name, Items& items, int lo, int hi) override;
  void visit_value(std::string_view name, FunctionRef<void(Fields&, std::string_view)> value) override {
    value(*this, name);
  }
};

/// The run of an implementation that answers in the system's types, inside this process. It ends where the implementation
/// throws.
RunSource traced_source(const Runner& implementation, const AnyScenario& scenario, PositionRange range,
                        volatile std::uint32_t* in_flight);

/// The actions between the positions of a range.
std::vector<RecordedAction> recorded_actions(const AnyScenario& scenario, PositionRange range);

}  // namespace lockstep
