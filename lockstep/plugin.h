/* The interface of plugins: implementations in a shared library, in any language that can export C functions.
 *
 *   lockstep fuzz omok --with ./mine.so          compares all of its implementations of omok with the reference
 *   lockstep replay FILE --with ./mine.so:NAME   compares one of them
 *
 * A plugin exports one function, lockstep_plugin_entry. Nothing else is shared: no type of Lockstep, no allocator,
 * no exception. Scenarios and answers are text, so that implementations of different versions, compilers and
 * languages can be compared, and a difference is reported by field. examples/plugins/example.c is a complete plugin.
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

/* One run of a scenario, with the functions that receive its results. Owned by Lockstep, valid while `play` runs. */
struct lockstep_run {
  /* The scenario in the text form of docs and corpus/, canonical and zero-terminated:
   *
   *   lockstep 1 omok       format version and system
   *   size 3                the setup, one field per line
   *   board                 a board as a picture, top row first; "board empty" if it has no occupied cell
   *   ...
   *   .B.
   *   ..W
   *   actions               then one action per line
   *   place colour=black row=0 column=1
   *   judge
   */
  const char* scenario;

  /* Positions at which to report a snapshot, in actions done: `position_count` increasing numbers; 0 is the setup. */
  const uint64_t* positions;
  size_t position_count;

  /* A plugin may write the number of the in-flight action here, counted from 0, so that a crash can be attributed.
   * A plugin that reports each answer before the next action need not. */
  volatile uint32_t* under_way;

  /* Report results, in the order of the run: the answer to each action, and at each of `positions` the whole state.
   * A text is NAME=VALUE lines, with the names and in the order of `lockstep show`; a board has one line per row,
   * with the cells of the setup's picture:
   *
   *   observation   legal=yes            snapshot   size=3
   *                 winner=1                        board[0]=...
   *                 row=1                           board[1]=.B.
   *                 column=1                        board[2]=..W
   *
   * A list's items are numbered likewise (piece[0].row=2); several values of a field are separated by commas
   * (left=3,4). The text is read before these functions return, and not kept. */
  void (*observation)(struct lockstep_run* run, const char* fields);
  void (*snapshot)(struct lockstep_run* run, const char* fields);
};

struct lockstep_simulator {
  const char* game;  /* the system's name in scenarios */
  const char* name;  /* letters, digits and '_' */
  const char* about; /* one line for people */

  /* Runs the scenario from its setup to its last action; `self` is the entry that contains this function pointer.
   * Returns null, or the reason why it cannot run: a text that remains valid until this thread calls again. An action
   * that the state refuses is answered (legal=no); it is not an error. Must allow calls by several threads at once. */
  const char* (*play)(const struct lockstep_simulator* self, struct lockstep_run* run);
};

struct lockstep_plugin {
  uint32_t version; /* LOCKSTEP_PLUGIN_VERSION; the first field in every version */
  uint32_t simulator_count;
  const struct lockstep_simulator* simulators;
};

/* Exported by the plugin. The result must remain valid until the process ends. */
const struct lockstep_plugin* lockstep_plugin_entry(void);

#ifdef __cplusplus
}
#endif

#endif
