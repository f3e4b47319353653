#include "lockstep/bulk.hpp"

#include "lockstep/error.hpp"
#include "lockstep/text.hpp"

namespace lockstep::bulk {

void contradicts(const std::string& names, const AnyScenario& scenario) {
  throw InternalError{"answer_many contradicts step, in " + names + ", on\n" + scenario_text(scenario)};
}

}  // namespace lockstep::bulk
