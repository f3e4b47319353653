// puyoai (https://github.com/puyoai/puyoai) as a peer: compiled by puyo_peers.py with src/ of the checkout as include
// path, and a stand-in for the one header of glog that it needs.
//
// puyoai has rows above the 12 that this tree has. Nothing ever is in them here: the fields have 12 rows and only fall.
// Counted by its function that computes no score.
#include "core/bit_field.cc"
#include "core/field_bits.cc"
#include "core/puyo_color.cc"
#include "lab/puyo_peers/peer.hpp"

namespace {

struct Puyoai {
  using Field = BitField;

  static void set(Field& field, int row, int column, int colour) {
    constexpr int walls = 1;  // around its field
    field.setColor(walls + column, walls + row, NORMAL_PUYO_COLORS[colour - 1]);
  }

  static int count(Field& field) {
    RensaNonTracker tracker;
#if defined(__AVX2__) && defined(__BMI2__)
    return field.simulateFastAVX2(&tracker);
#else
    return field.simulateFast(&tracker);
#endif
  }
};

PeerFields<Puyoai> fields;

}  // namespace

void peer_take(const std::uint8_t* cells, std::size_t count) { fields.take(cells, count); }
void peer_count(std::uint8_t* chains) { fields.count(chains); }
