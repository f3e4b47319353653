#include "proof/evaluate.hpp"

#include <bit>

namespace lockstep::proof {

namespace {

constexpr std::size_t per_block = 256;
using Columns = std::vector<Graph::Block>;  // one for each bit: its values on the inputs of a block

std::string hexadecimal(Claim::Bytes bytes) {
  std::string out;
  for (const std::byte byte : bytes) {
    for (const int digit : {static_cast<int>(byte >> 4), static_cast<int>(byte & std::byte{15})}) {
      out += "0123456789abcdef"[digit];
    }
  }
  return out;
}

/// Exchanges rows and columns of a square of bits: bit j of word i and bit i of word j. Halves its blocks in each round.
/// Hacker's Delight (2nd edition), 7-3.
void transpose(std::array<std::uint64_t, 64>& rows) {
  std::uint64_t low = 0xffff'ffff;  // the low half of each block
  for (std::size_t half = 32; half != 0; half /= 2, low ^= low << half) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if ((i & half) != 0) continue;
      const std::uint64_t changed = (rows[i] >> half ^ rows[i + half]) & low;
      rows[i] ^= changed << half;
      rows[i + half] ^= changed;
    }
  }
}

/// `values`: per_block values of `size` bytes.
Columns columns(std::span<const std::vector<std::byte>> values, std::size_t size) {
  Columns out(8 * size);
  for (std::size_t word = 0; word < per_block / 64; ++word) {
    for (std::size_t at = 0; at < size; at += 8) {
      const std::size_t bytes = std::min<std::size_t>(8, size - at);
      std::array<std::uint64_t, 64> square{};
      for (std::size_t i = 0; i < 64; ++i) std::memcpy(&square[i], values[64 * word + i].data() + at, bytes);
      transpose(square);
      for (std::size_t bit = 0; bit < 8 * bytes; ++bit) out[8 * at + bit].words[word] = square[bit];
    }
  }
  return out;
}

/// Compares the graph with the code on one block of inputs after the other, and counts what was compared.
class Comparison {
 public:
  Comparison(const Claim& claim, const Translation& translation, std::uint64_t seed)
      : claim_{claim}, translation_{translation}, draws_{seed} {}

  /// The first difference on the next block: in the kernel, and if `all_functions`, in the specification and the invariant.
  std::optional<std::string> compare_block(bool all_functions) {
    const Translation::Part& kernel = translation_.kernel;
    const Translation::Part& specification = translation_.specification;
    draw_block(all_functions ? translation_.graph.size() : kernel.graph_size);
    const Graph::Block compared = defined(kernel, kernels_);
    if (claim_.run_kernel) {
      if (const auto i = difference(kernel, compared, claim_.run_kernel)) return said(claim_.kernel, *i);
    }
    if (!all_functions) return std::nullopt;
    if (const auto i = difference(specification, defined(specification, specifications_), claim_.run_specification)) {
      return said(claim_.specification, *i);
    }
    for (std::size_t i = 0; i < per_block; ++i) {
      if (differs_in_invariant(i)) return said(claim_.invariant, i);
    }
    return std::nullopt;
  }

  /// A function that was never compared.
  std::optional<std::string> not_compared() const {
    const std::string none = "nothing was compared: no drawn input defines ";
    if (kernels_.inputs == 0) return none + std::string(claim_.kernel) + ": " + kernels_.undefined;
    if (specifications_.inputs == 0) {
      return none + std::string(claim_.specification) + ": " + specifications_.undefined;
    }
    if (lawful_ == 0) return "nothing was compared: no drawn input meets " + std::string(claim_.invariant);
    return std::nullopt;
  }

 private:
  /// Inputs, and the values of the graph's first `nodes` nodes on them.
  void draw_block(std::size_t nodes) {
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
    const Columns bits = columns(inputs_, claim_.input_size);
    for (std::size_t bit = 0; bit < bits.size(); ++bit) {
      values[graph.input_number(translation_.input[bit].node())] = bits[bit];
    }
    graph.evaluate(values, node_values_, nodes);
  }

  struct Compared {
    std::size_t inputs = 0;  // on which the function is defined
    std::string undefined;   // why it was not on one input, while there are none
  };

  /// The inputs on which the part is defined.
  Graph::Block defined(const Translation::Part& part, Compared& compared) const {
    const Graph::Block defined = Graph::value(node_values_, !part.violated);
    for (const std::uint64_t word : defined.words) compared.inputs += static_cast<std::size_t>(std::popcount(word));
    if (compared.inputs == 0) compared.undefined = why_undefined(part);
    return defined;
  }

  /// The first of these inputs on which the part's result is not what its code returns. The code is not called on others.
  template <class Run>
  std::optional<std::size_t> difference(const Translation::Part& part, const Graph::Block& inputs,
                                        const Run& run) const {
    std::vector<std::vector<std::byte>> expected(per_block, std::vector<std::byte>(claim_.output_size));
    for (std::size_t i = 0; i < per_block; ++i) {
      if (inputs.bit(i)) expected[i] = run(inputs_[i]);
    }
    const Columns bits = columns(expected, claim_.output_size);
    Graph::Block different;
    for (std::size_t bit = 0; bit < bits.size(); ++bit) {
      const Graph::Block computed = Graph::value(node_values_, part.result[bit]);
      for (std::size_t word = 0; word < computed.words.size(); ++word) {
        different.words[word] |= (computed.words[word] ^ bits[bit].words[word]) & inputs.words[word];
      }
    }
    for (std::size_t i = 0; i < per_block; ++i) {
      if (different.bit(i)) return i;
    }
    return std::nullopt;
  }

  bool differs_in_invariant(std::size_t i) {
    if (holds(translation_.invariant.violated, i)) return false;
    const bool meets = holds(translation_.invariant.result.front(), i);
    lawful_ += meets ? 1 : 0;
    return meets != claim_.meets_invariant(inputs_[i]);
  }

  bool holds(Literal a, std::size_t i) const { return Graph::value(node_values_, a).bit(i); }

  std::string why_undefined(const Translation::Part& part) const {
    std::string why = "a part of its result is undefined";
    for (const Obligation& each : part.obligations) {
      if (holds(each.violated, 0)) why = each.what + ", " + each.place.text();
    }
    return why;
  }

  std::string said(std::string_view whose, std::size_t i) const {
    return std::string(whose) + " differs from its compiled code on the input " + hexadecimal(inputs_[i]);
  }

  const Claim& claim_;
  const Translation& translation_;
  Draws draws_;
  std::vector<std::vector<std::byte>> inputs_;  // of the block
  std::vector<Graph::Block> node_values_;       // on these inputs
  Compared kernels_;
  Compared specifications_;
  std::size_t lawful_ = 0;  // inputs that meet the invariant
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
