// The workloads of Puyo Puyo. Every scenario of the first three is one loaded field and one resolve. There are 4,096
// full fields: a Zen 3 predicts most jumps of `lanes` on 512 of them (63 ns a field instead of 94).
//
//   full_4_colours   72 random puyos of four colours: 2.6 chains on average, the headline.
//   full_5_colours   72 random puyos of five colours: 1.9 chains.
//   chain_12         fields with exactly twelve chains.
//   play             64 actions from an empty field, as a fuzzing campaign plays them: drops, and a resolve
//                    now and then.
#pragma once

#include <vector>

#include "games/puyo/game.hpp"
#include "lockstep/base/random.hpp"
#include "lockstep/system/workload.hpp"

namespace lockstep {

struct Puyo::Workloads {
  static std::vector<Workload<Puyo>> all();
  static Setup full_field(Random& random, int colours_used);
};

}  // namespace lockstep
