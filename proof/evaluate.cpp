#include "proof/evaluate.hpp"

namespace lockstep::proof {

namespace {

constexpr std::size_t per_block = 256;

std::string hexadecimal(Claim::Bytes bytes) {
  std::string out;
  for (const std::byte byte : bytes) {
    for (const int digit : {static_cast<int>(byte >> 4), static_cast<int>(byte & std::byte{15})}) {
      out += "0123456789abcdef"[digit];
    }
  }
  return out;
}

bool bit_of(Claim::Bytes bytes, std::size_t bit) { return (bytes[bit / 8] >> (bit % 8) & std::byte{1}) != std::byte{}; }

/// Compares the graph with the code on one block of inputs after the other, and counts what was compared.
class Comparison {
 public:
  Comparison(const Claim& claim, const Translation& translation, std::uint64_t seed)
      : claim_{claim}, translation_{translation}, draws_{seed} {}

  /// The first difference on the next block: in the kernel, and if `all_functions`, in the specification and the invariant.
  std::optional<std::string> compare_block(bool all_functions) {
    draw_block();
    for (std::size_t i = 0; i < per_block; ++i) {
      if (differs_in_kernel(i)) return difference(claim_.kernel, i);
      if (!all_functions) continue;
      if (differs_in_specification(i)) return difference(claim_.specification, i);
      if (differs_in_invariant(i)) return difference(claim_.invariant, i);
    }
    return std::nullopt;
  }

  /// A function that was never compared.
  std::optional<std::string> not_compared() const {
    const std::string none = "nothing was compared: no drawn input defines ";
    if (kernels_ == 0) return none + std::string(claim_.kernel) + ": " + undefined_;
    if (specifications_ == 0) return none + std::string(claim_.specification) + ": " + undefined_;
    if (lawful_ == 0) return "nothing was compared: no drawn input meets " + std::string(claim_.invariant);
    return std::nullopt;
  }

 private:
  void draw_block() {
    const Graph& graph = translation_.graph;
    std::vector<Graph::Block> values(graph.inputs());
    // Inputs of the graph that are no bits of the claim's input (frozen poison, orders of objects) may be anything.
    for (Graph::Block& block : values) block = {{draws_(), draws_(), draws_(), draws_()}};
    inputs_.clear();
    for (std::size_t i = 0; i < per_block; ++i) {
      std::vector<std::byte>& input = inputs_.emplace_back(claim_.draw(draws_));
      for (std::size_t changes = i % 2 == 0 ? 0 : draws_.below(8); changes > 0; --changes) {
        input[draws_.below(input.size())] ^= std::byte{1} << draws_.below(8);
      }
    }
    for (std::size_t bit = 0; bit < translation_.input.size(); ++bit) {
      Graph::Block& block = values[graph.input_number(translation_.input[bit].node())];
      block = Graph::Block{};
      for (std::size_t i = 0; i < per_block; ++i) {
        block.words[i / 64] |= std::uint64_t{bit_of(inputs_[i], bit)} << (i % 64);
      }
    }
    graph.evaluate(values, node_values_);
  }

  bool differs_in_kernel(std::size_t i) {
    if (holds(translation_.kernel.violated, i)) {
      if (kernels_ == 0) note_why(translation_.kernel, i);
      return false;
    }
    ++kernels_;
    return claim_.run_kernel && differs(translation_.kernel, claim_.run_kernel(inputs_[i]), i);
  }

  bool differs_in_specification(std::size_t i) {
    if (holds(translation_.specification.violated, i)) {
      if (kernels_ != 0 && specifications_ == 0) note_why(translation_.specification, i);
      return false;
    }
    ++specifications_;
    return differs(translation_.specification, claim_.run_specification(inputs_[i]), i);
  }

  bool differs_in_invariant(std::size_t i) {
    if (holds(translation_.invariant.violated, i)) return false;
    const bool meets = holds(translation_.invariant.result.front(), i);
    lawful_ += meets ? 1 : 0;
    return meets != claim_.meets_invariant(inputs_[i]);
  }

  bool holds(Literal a, std::size_t i) const { return Graph::value(node_values_, a).bit(i); }

  bool differs(const Translation::Part& part, Claim::Bytes expected, std::size_t i) const {
    for (std::size_t bit = 0; bit < part.result.size(); ++bit) {
      if (holds(part.result[bit], i) != bit_of(expected, bit)) return true;
    }
    return false;
  }

  void note_why(const Translation::Part& part, std::size_t i) {
    undefined_ = "a part of its result is undefined";
    for (const Obligation& each : part.obligations) {
      if (holds(each.violated, i)) undefined_ = each.what + ", " + each.place.text();
    }
  }

  std::string difference(std::string_view whose, std::size_t i) const {
    return std::string(whose) + " differs from its compiled code on the input " + hexadecimal(inputs_[i]);
  }

  const Claim& claim_;
  const Translation& translation_;
  Draws draws_;
  std::vector<std::vector<std::byte>> inputs_;  // of the block
  std::vector<Graph::Block> node_values_;       // on these inputs
  std::size_t kernels_ = 0;                     // inputs on which the kernel was compared
  std::size_t specifications_ = 0;              // likewise
  std::size_t lawful_ = 0;                      // inputs that meet the invariant
  std::string undefined_;                       // why the kernel or the specification was undefined at last
};

}  // namespace

std::optional<std::string> evaluated_differently(const Claim& claim, const Translation& translation, std::size_t count,
                                                 std::uint64_t seed) {
  Comparison comparison{claim, translation, seed};
  for (std::size_t done = 0; done < count; done += per_block) {
    const bool all_functions = done / per_block % 8 == 0;  // specifications are slow, and plain
    if (auto difference = comparison.compare_block(all_functions)) return difference;
  }
  return comparison.not_compared();
}

}  // namespace lockstep::proof
