// Puyo Puyo with all its parts, for what is not an implementation.
#pragma once

#include "games/puyo/explorations.hpp"
#include "games/puyo/features.hpp"
#include "games/puyo/game.hpp"
#include "games/puyo/laws.hpp"
#include "games/puyo/problem_format.hpp"
#include "games/puyo/suggestions.hpp"
