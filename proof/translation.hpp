// A claim's functions as one graph over the bits of its input.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "proof/claim.hpp"
#include "proof/executor.hpp"

namespace lockstep::proof {

/// Something that is not covered before any question can be asked.
struct NotCovered : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Translation {
 public:
  /// One function. Its result means something where no obligation is violated.
  struct Part {
    Word result;                  // the output's bits, or the truth value
    std::vector<Literal> poison;  // of the output's bytes: not written, or undefined
    std::vector<Obligation> obligations;
    Literal violated = no;  // some obligation is, or some byte of the result is poison
    Executor::Edges edges;
    Executor::Lines lines;
    Executor::Lines inlined_at;
    std::string without_source;  // a function whose source file is not known, if there is one
    std::size_t graph_size = 0;  // when it had been translated: later nodes are not needed for it
  };

  /// `program`: the claim's bitcode, if it has been read already. `changed`: has the kernel in its place.
  Translation(const Claim& claim, Clock::time_point deadline, std::shared_ptr<Program> program = nullptr,
              std::shared_ptr<Program> changed = nullptr);

  Graph graph;
  std::shared_ptr<Program> program;
  Word input;  // byte by byte
  Part invariant;
  Part kernel;
  Part specification;
  Part lawful;  // always true if the claim has none

 private:
  Part translated(const Claim& claim, Program& of, std::string_view symbol, bool predicate, Clock::time_point deadline);

  std::shared_ptr<Program> changed_;  // instructions of its kernel are named in obligations
  Bytes input_bytes_;
};

}  // namespace lockstep::proof
