// All parts of Puyo Puyo except its implementations.
#pragma once

#include "games/puyo/explorations.hpp"
#include "games/puyo/features.hpp"
#include "games/puyo/game.hpp"
#include "games/puyo/laws.hpp"
#include "games/puyo/problem_format.hpp"
#include "games/puyo/suggestions.hpp"
#include "games/puyo/workloads.hpp"
