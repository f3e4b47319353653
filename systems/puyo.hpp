// Everyone who plays Puyo Puyo. The order of these includes is that of the roster; a comment between two keeps it.
#pragma once

#include "games/puyo/game.hpp"
// The rulebook.
#include "reference/puyo.hpp"
// From the oldest to the fastest, which answers when nobody is named. (Who needs AVX-512 is there where it can run.)
#include "optimized/puyo/textbook.hpp"
//
#include "optimized/puyo/lean.hpp"
//
#include "optimized/puyo/batch.hpp"
//
#include "optimized/puyo/lanes.hpp"
// Wrong on purpose.
#include "canaries/puyo.hpp"
