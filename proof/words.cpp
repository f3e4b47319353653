#include "proof/words.hpp"

#include <algorithm>
#include <bit>
#include <ranges>

namespace lockstep::proof {

Word Words::constant(std::uint64_t value, std::size_t width) {
  Word out(width, no);
  for (std::size_t i = 0; i < std::min<std::size_t>(width, 64); ++i) out[i] = truth((value >> i & 1) != 0);
  return out;
}

Word Words::inputs(std::size_t width) {
  Word out(width);
  std::ranges::generate(out, [&] { return g_.input(); });
  return out;
}

Word Words::complement(const Word& a) const {
  Word out = a;
  for (Literal& bit : out) bit = !bit;
  return out;
}

Word Words::conjunction(const Word& a, const Word& b) {
  Word out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = g_.both(a[i], b[i]);
  return out;
}

Word Words::disjunction(const Word& a, const Word& b) {
  Word out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = g_.either(a[i], b[i]);
  return out;
}

Word Words::difference(const Word& a, const Word& b) {
  Word out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = g_.differ(a[i], b[i]);
  return out;
}

Word Words::choose(Literal condition, const Word& then, const Word& otherwise) {
  Word out(then.size());
  for (std::size_t i = 0; i < then.size(); ++i) out[i] = g_.choose(condition, then[i], otherwise[i]);
  return out;
}

Words::Sum Words::add(const Word& a, const Word& b, Literal carry) {
  Sum out{.bits = Word(a.size()), .carry = carry, .overflow = no};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Literal entering = out.carry;
    const Literal unequal = g_.differ(a[i], b[i]);
    out.bits[i] = g_.differ(unequal, entering);
    out.carry = g_.choose(unequal, entering, a[i]);
    out.overflow = g_.differ(entering, out.carry);
  }
  return out;
}

Words::Sum Words::subtract(const Word& a, const Word& b) { return add(a, complement(b), yes); }

Word Words::negated(const Word& a) { return subtract(constant(0, a.size()), a).bits; }

Word Words::multiply(const Word& a, const Word& b) {
  // One addition for each bit of a factor that is not known to be 0: of the factor with fewer of them.
  const auto unknown = [](const Word& x) { return std::ranges::count_if(x, [](Literal bit) { return bit != no; }); };
  const Word& rows = unknown(a) <= unknown(b) ? a : b;
  const Word& factor = &rows == &a ? b : a;
  Word out(a.size(), no);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] == no) continue;
    Word shifted(a.size(), no);
    for (std::size_t k = i; k < shifted.size(); ++k) shifted[k] = g_.both(rows[i], factor[k - i]);
    out = add(out, shifted).bits;
  }
  return out;
}

Words::Division Words::divide(const Word& a, const Word& b) {
  // Long division: the remainder takes the next bit of a, and b is taken off where it fits.
  const std::size_t width = a.size();
  const Word divisor = extended(b, width + 1);
  Division out{.quotient = Word(width, no), .remainder = Word(width + 1, no)};
  for (std::size_t i = width; i-- > 0;) {
    out.remainder.insert(out.remainder.begin(), a[i]);
    out.remainder.pop_back();
    const Sum less_divisor = subtract(out.remainder, divisor);
    out.quotient[i] = less_divisor.carry;
    out.remainder = choose(less_divisor.carry, less_divisor.bits, out.remainder);
  }
  out.remainder.pop_back();
  return out;
}

Words::Division Words::divide_signed(const Word& a, const Word& b) {
  const Literal a_negative = a.back();
  const Literal b_negative = b.back();
  const Division magnitudes = divide(choose(a_negative, negated(a), a), choose(b_negative, negated(b), b));
  return {.quotient = choose(g_.differ(a_negative, b_negative), negated(magnitudes.quotient), magnitudes.quotient),
          .remainder = choose(a_negative, negated(magnitudes.remainder), magnitudes.remainder)};
}

Word Words::shift_left(const Word& a, const Word& amount, Literal fill) {
  Word mirrored(a.rbegin(), a.rend());
  mirrored = shift_right(mirrored, amount, fill);
  return {mirrored.rbegin(), mirrored.rend()};
}

Word Words::shift_right(const Word& a, const Word& amount, Literal fill) {
  Word out = a;
  for (std::size_t k = 0; k < amount.size(); ++k) {
    if (amount[k] == no) continue;
    const bool beyond = k >= 63 || (std::size_t{1} << k) >= a.size();
    Word moved(a.size(), fill);
    if (!beyond) std::ranges::copy(out | std::views::drop(std::size_t{1} << k), moved.begin());
    out = choose(amount[k], moved, out);
  }
  return out;
}

Literal Words::equal(const Word& a, const Word& b) { return !any(difference(a, b)); }

Literal Words::less(const Word& a, const Word& b) { return !subtract(a, b).carry; }

Literal Words::less_signed(const Word& a, const Word& b) {
  Word x = a;
  Word y = b;
  x.back() = !x.back();
  y.back() = !y.back();
  return less(x, y);
}

Literal Words::at_most(const Word& a, std::uint64_t bound) {
  if (a.size() < 64 && bound >= (std::uint64_t{1} << a.size())) return yes;
  return !less(constant(bound, a.size()), a);
}

Word Words::extended(const Word& a, std::size_t width, Literal fill) {
  Word out = a;
  out.resize(width, fill);
  return out;
}

Word Words::truncated(const Word& a, std::size_t width) { return slice(a, 0, width); }

Word Words::slice(const Word& a, std::size_t first, std::size_t count) {
  const auto begin = a.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

Word Words::ones(const Word& a) {
  // Sums of neighbours, each one bit wider than its operands.
  std::vector<Word> sums;
  for (const Literal bit : a) sums.push_back({bit});
  while (sums.size() > 1) {
    std::vector<Word> next;
    for (std::size_t i = 0; i + 1 < sums.size(); i += 2) {
      const std::size_t width = std::max(sums[i].size(), sums[i + 1].size()) + 1;
      next.push_back(add(extended(sums[i], width), extended(sums[i + 1], width)).bits);
    }
    if (sums.size() % 2 != 0) next.push_back(sums.back());
    sums = std::move(next);
  }
  return extended(truncated(sums.front(), std::min(sums.front().size(), a.size())), a.size());
}

Word Words::trailing_zeros(const Word& a) {
  Word out = constant(a.size(), a.size());
  for (std::size_t i = a.size(); i-- > 0;) out = choose(a[i], constant(i, a.size()), out);
  return out;
}

Word Words::leading_zeros(const Word& a) { return trailing_zeros({a.rbegin(), a.rend()}); }

/// Half by half: what the upper mask names comes above what the lower one names.
Word Words::extracted(const Word& a, const Word& mask) {
  if (a.size() == 1) return conjunction(a, mask);
  const std::size_t half = a.size() / 2;
  const Word low_mask = truncated(mask, half);
  const Word low = extracted(truncated(a, half), low_mask);
  const Word high = extracted(slice(a, half, half), slice(mask, half, half));
  return disjunction(extended(low, a.size()), shift_left(extended(high, a.size()), ones(low_mask)));
}

Word Words::deposited(const Word& a, const Word& mask) {
  if (a.size() == 1) return conjunction(a, mask);
  const std::size_t half = a.size() / 2;
  const Word low_mask = truncated(mask, half);
  Word out = deposited(truncated(a, half), low_mask);
  const Word high = deposited(truncated(shift_right(a, ones(low_mask)), half), slice(mask, half, half));
  out.insert(out.end(), high.begin(), high.end());
  return out;
}

}  // namespace lockstep::proof
