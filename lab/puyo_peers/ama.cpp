// ama (https://github.com/citrus610/ama) as a peer: compiled by puyo_peers.py with the checkout as include path.
//
// ama has rows above the 12 that this tree has. Nothing ever is in them here: the fields have 12 rows and only fall.
// Its own function returns the cells of every chain, for the score, and removes garbage. CHAINS_ALONE defined: a loop over
// the other steps of ama's, without that record and without garbage, which this tree does not have.
#include "core/field.cpp"
#include "core/fieldbit.cpp"
#include "lab/puyo_peers/peer.hpp"

namespace {

struct Ama {
  using Field = ::Field;

  static void set(Field& field, int row, int column, int colour) {
    field.set_cell(static_cast<i8>(column), static_cast<i8>(row), static_cast<cell::Type>(colour - 1));
  }

#ifdef CHAINS_ALONE
  static int count(Field& field) {
    for (int chains = 0;; ++chains) {
      FieldBit vanishing = field.get_mask_pop().get_mask();
      if (vanishing.is_empty()) return chains;
      for (int colour = 0; colour < peer_colours; ++colour) field.data[colour].pop(vanishing);
    }
  }
#else
  static int count(Field& field) { return field.pop().get_size(); }
#endif
};

PeerFields<Ama> fields;

}  // namespace

void peer_take(const std::uint8_t* cells, std::size_t count) { fields.take(cells, count); }
void peer_count(std::uint8_t* chains) { fields.count(chains); }
