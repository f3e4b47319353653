// All parts of the block game except its implementations.
#pragma once

#include "games/block_game/explorations.hpp"
#include "games/block_game/features.hpp"
#include "games/block_game/game.hpp"
#include "games/block_game/laws.hpp"
#include "games/block_game/problem_format.hpp"
#include "games/block_game/suggestions.hpp"
#include "games/block_game/workloads.hpp"
