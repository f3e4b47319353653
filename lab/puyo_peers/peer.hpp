// What the library of a peer exports: puyo_peers.py compiles it from ama.cpp or puyoai.cpp, puyo_peers.cpp loads it.
//
// A library of its own keeps the peer's names, and its copies of inline functions, which are compiled for this processor,
// apart from this tree's and from those of other peers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#define PEER_FUNCTION extern "C" __attribute__((visibility("default")))

/// Off the clock: converts settled fields to the peer's own representation. `cells` has 12 rows of 6 cells for each, the
/// top row first; 0 is empty.
PEER_FUNCTION void peer_take(const std::uint8_t* cells, std::size_t fields);
/// On the clock: the number of chains of each field. Uses the fields up.
PEER_FUNCTION void peer_count(std::uint8_t* chains);

/// The colours that these peers have: 1 … 4. A field with five is not given to them.
constexpr int peer_colours = 4;

/// The body of the two functions. A Peer has
///   Field                             the type; a new one is empty
///   set(field, row, column, colour)   row 0 is the floor
///   count(field)                      resolves the field and returns the number of chains
template <class Peer>
class PeerFields {
 public:
  void take(const std::uint8_t* cells, std::size_t count) {
    fields_.assign(count, typename Peer::Field{});
    for (auto& field : fields_) {
      for (int row = 12; row-- > 0;) {
        for (int column = 0; column < 6; ++column, ++cells) {
          if (*cells != 0) Peer::set(field, row, column, *cells);
        }
      }
    }
  }
  void count(std::uint8_t* chains) {
    for (auto& field : fields_) *chains++ = static_cast<std::uint8_t>(Peer::count(field));
  }

 private:
  std::vector<typename Peer::Field> fields_;
};
