// All parts of stacking except its implementations.
#pragma once

#include "games/stacking/explorations.hpp"
#include "games/stacking/features.hpp"
#include "games/stacking/game.hpp"
#include "games/stacking/laws.hpp"
#include "games/stacking/problem_format.hpp"
#include "games/stacking/suggestions.hpp"
#include "games/stacking/workloads.hpp"
