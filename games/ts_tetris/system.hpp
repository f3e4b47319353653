// All parts of TS Tetris except its implementations.
#pragma once

#include "games/ts_tetris/explorations.hpp"
#include "games/ts_tetris/features.hpp"
#include "games/ts_tetris/game.hpp"
#include "games/ts_tetris/laws.hpp"
#include "games/ts_tetris/problem_format.hpp"
#include "games/ts_tetris/suggestions.hpp"
#include "games/ts_tetris/workloads.hpp"
