// Omok with all its parts, for what is not an implementation.
#pragma once

#include "games/omok/explorations.hpp"
#include "games/omok/features.hpp"
#include "games/omok/game.hpp"
#include "games/omok/laws.hpp"
#include "games/omok/problem_format.hpp"
#include "games/omok/suggestions.hpp"
