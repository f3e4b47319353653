/* A plugin: simulators in a shared library, for every language that can speak C.
 *
 *   lockstep fuzz omok --with ./mine.so          judges all of its simulators of omok beside the reference
 *   lockstep replay FILE --with ./mine.so:NAME   judges one of them
 *
 * A plugin exports one function, lockstep_plugin_entry. Nothing else is shared: no type of Lockstep, no allocator,
 * no exception. What passes between the two is text, so that simulators of different versions, compilers and
 * languages can be judged against each other, and a difference has a name. plugins/example.c is a whole plugin.
 */
#ifndef LOCKSTEP_PLUGIN_H
#define LOCKSTEP_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of everything below. A plugin of another version is refused. */
#define LOCKSTEP_PLUGIN_VERSION 1

/* One scenario to be played, and who listens. It belongs to Lockstep and lives while `play` runs. */
struct lockstep_run {
  /* The scenario as docs and corpus/ show it, zero-terminated and in canonical form:
   *
   *   lockstep 1 omok       format version and game
   *   size 3                the setup, a field a line
   *   board                 a board as a picture, top row first; "board empty" when nothing stands on it
   *   ...
   *   .B.
   *   ..W
   *   actions               then an action a line
   *   place colour=black row=0 column=1
   *   judge
   */
  const char* scenario;

  /* After how many actions a snapshot is wanted: `position_count` numbers, increasing; 0 is the setup itself. */
  const uint64_t* positions;
  size_t position_count;

  /* A plugin may write here which action is under way, counted from 0: a crash then has an address. Those that tell
   * each answer as they go need not. */
  volatile uint32_t* under_way;

  /* What happens, told in the order in which it happens: the answer to each action, and after those that `positions`
   * names the whole state. A text is NAME=VALUE lines, with the names and in the order in which `lockstep show`
   * prints them; a board has a line for each row, with the cells of the setup's picture:
   *
   *   observation   legal=yes            snapshot   size=3
   *                 winner=1                        board[0]=...
   *                 row=1                           board[1]=.B.
   *                 column=1                        board[2]=..W
   *
   * A list's items are numbered likewise (piece[0].row=2), several values of a field stand with commas between
   * them (left=3,4). The text is read before these functions return, and not kept. */
  void (*observation)(struct lockstep_run* run, const char* fields);
  void (*snapshot)(struct lockstep_run* run, const char* fields);
};

struct lockstep_simulator {
  const char* game;  /* as scenarios name it */
  const char* name;  /* letters, digits and '_' */
  const char* about; /* one line for people */

  /* Plays the scenario from its setup to its last action; `self` is the entry that this function stands in.
   * Answers null, or why it could not: a text that stays until this thread calls again. An action that the state
   * refuses is answered (legal=no), not an error. May be called by several threads at once. */
  const char* (*play)(const struct lockstep_simulator* self, struct lockstep_run* run);
};

struct lockstep_plugin {
  uint32_t version; /* LOCKSTEP_PLUGIN_VERSION; the first field in every version */
  uint32_t simulator_count;
  const struct lockstep_simulator* simulators;
};

/* Exported by the plugin. What it points to stays for as long as the process lives. */
const struct lockstep_plugin* lockstep_plugin_entry(void);

#ifdef __cplusplus
}
#endif

#endif
