// All parts of omok except its implementations.
#pragma once

#include "games/omok/explorations.hpp"
#include "games/omok/features.hpp"
#include "games/omok/game.hpp"
#include "games/omok/laws.hpp"
#include "games/omok/problem_format.hpp"
#include "games/omok/suggestions.hpp"
#include "games/omok/workloads.hpp"
