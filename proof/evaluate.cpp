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

}  // namespace

std::optional<std::string> evaluated_differently(const Claim& claim, const Translation& translation, std::size_t count,
                                                 std::uint64_t seed) {
  Draws draws{seed};
  std::size_t kernels = 0;
  std::size_t specifications = 0;
  std::size_t lawful = 0;  // inputs that meet the invariant
  std::string undefined;   // why the kernel or the specification was undefined at last
  std::vector<Graph::Block> node_values;
  for (std::size_t done = 0; done < count; done += per_block) {
    std::vector<std::vector<std::byte>> inputs;
    std::vector<Graph::Block> input_values(translation.graph.inputs());
    // Inputs of the graph that are no bits of the claim's input (frozen poison, orders of objects) may be anything.
    for (Graph::Block& block : input_values) block = {{draws(), draws(), draws(), draws()}};
    for (std::size_t i = 0; i < per_block; ++i) {
      std::vector<std::byte>& input = inputs.emplace_back(claim.draw(draws));
      for (std::size_t changes = i % 2 == 0 ? 0 : draws.below(8); changes > 0; --changes) {
        input[draws.below(input.size())] ^= std::byte{1} << draws.below(8);
      }
    }
    for (std::size_t bit = 0; bit < translation.input.size(); ++bit) {
      Graph::Block& block = input_values[translation.graph.input_number(translation.input[bit].node())];
      block = Graph::Block{};
      for (std::size_t i = 0; i < per_block; ++i) {
        const bool set = (inputs[i][bit / 8] >> (bit % 8) & std::byte{1}) != std::byte{};
        block.words[i / 64] |= std::uint64_t{set} << (i % 64);
      }
    }
    translation.graph.evaluate(input_values, node_values);

    const auto holds = [&](Literal a, std::size_t i) { return Graph::value(node_values, a).bit(i); };
    const auto differs = [&](const Translation::Part& part, Claim::Bytes expected, std::size_t i) {
      for (std::size_t bit = 0; bit < part.result.size(); ++bit) {
        const bool actual = (expected[bit / 8] >> (bit % 8) & std::byte{1}) != std::byte{};
        if (holds(part.result[bit], i) != actual) return true;
      }
      return false;
    };
    const auto note_why = [&](const Translation::Part& part, std::size_t i) {
      undefined = "a part of its result is undefined";
      for (const Obligation& each : part.obligations) {
        if (holds(each.violated, i)) undefined = each.what + ", " + each.place.text();
      }
    };
    for (std::size_t i = 0; i < per_block; ++i) {
      const auto error = [&](std::string_view whose) {
        return std::string(whose) + " differs from its compiled code on the input " + hexadecimal(inputs[i]);
      };
      if (!holds(translation.kernel.violated, i)) {
        ++kernels;
        if (claim.run_kernel && differs(translation.kernel, claim.run_kernel(inputs[i]), i)) return error(claim.kernel);
      } else if (kernels == 0) {
        note_why(translation.kernel, i);
      }
      if (done / per_block % 8 != 0) continue;  // specifications are slow, and plain
      if (!holds(translation.specification.violated, i)) {
        ++specifications;
        if (differs(translation.specification, claim.run_specification(inputs[i]), i)) {
          return error(claim.specification);
        }
      } else if (kernels != 0 && specifications == 0) {
        note_why(translation.specification, i);
      }
      if (!holds(translation.invariant.violated, i)) {
        const bool meets = holds(translation.invariant.result.front(), i);
        lawful += meets ? 1 : 0;
        if (meets != claim.meets_invariant(inputs[i])) return error(claim.invariant);
      }
    }
  }
  const std::string none = "nothing was compared: no drawn input defines ";
  if (kernels == 0) return none + std::string(claim.kernel) + ": " + undefined;
  if (specifications == 0) return none + std::string(claim.specification) + ": " + undefined;
  if (lawful == 0) return "nothing was compared: no drawn input meets " + std::string(claim.invariant);
  return std::nullopt;
}

}  // namespace lockstep::proof
