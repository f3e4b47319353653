/* A complete plugin in C for omok, as an example for simulators in other languages (lockstep/plugin.h has the contract).
 *
 *   cc -shared -fPIC -I. -o mine.so examples/plugins/example.c
 *   ./dev run fuzz omok --with ./mine.so --seconds 5
 *
 * With -DMISTAKE a run of six wins too, against the rules; a differential run finds that.
 */
#include <stdio.h>
#include <string.h>

#include "lockstep/plugin.h"

enum { MOST = 19, WIN = 5 };

struct position {
  int size;
  char cells[MOST][MOST]; /* '.', 'B' or 'W', as in a scenario's text */
};

/* The start of the line after the given one; the end of the text when there is none. */
static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end != NULL ? end + 1 : line + strlen(line);
}

static int starts(const char *line, const char *word) { return strncmp(line, word, strlen(word)) == 0; }

/* Reads the setup; returns the line of the first action, or null when the text is not a scenario of omok. */
static const char *read_setup(const char *line, struct position *p) {
  if (!starts(line, "lockstep 1 omok\n")) return NULL;
  line = next_line(line);
  if (sscanf(line, "size %d", &p->size) != 1 || p->size < 1 || p->size > MOST) return NULL;
  line = next_line(line);
  memset(p->cells, '.', sizeof p->cells);
  if (starts(line, "board\n")) {
    for (int row = 0; row < p->size; ++row) {
      line = next_line(line);
      if (strcspn(line, "\n") != (size_t)p->size) return NULL;
      memcpy(p->cells[row], line, (size_t)p->size);
    }
  } else if (!starts(line, "board empty\n")) {
    return NULL;
  }
  line = next_line(line);
  return starts(line, "actions\n") ? next_line(line) : NULL;
}

static char at(const struct position *p, int row, int column) {
  return row >= 0 && row < p->size && column >= 0 && column < p->size ? p->cells[row][column] : '.';
}

/* The length of the run of one colour that begins here; 0 when none does. */
static int run_from(const struct position *p, int row, int column, int down, int right) {
  const char colour = at(p, row, column);
  int length = 0;
  if (colour == '.' || at(p, row - down, column - right) == colour) return 0;
  while (at(p, row + length * down, column + length * right) == colour) ++length;
  return length;
}

static int wins(int length) {
#ifdef MISTAKE
  return length == WIN || length == WIN + 1;
#else
  return length == WIN; /* six or more do not win */
#endif
}

/* Answers with the leftmost win; in the same column, with the topmost. */
static void judge(const struct position *p, char *answer, size_t capacity) {
  static const int ways[4][2] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}}; /* to the right, or vertically down */
  for (int column = 0; column < p->size; ++column) {
    for (int row = 0; row < p->size; ++row) {
      for (int way = 0; way < 4; ++way) {
        if (!wins(run_from(p, row, column, ways[way][0], ways[way][1]))) continue;
        snprintf(answer, capacity, "legal=yes\nwinner=%d\nrow=%d\ncolumn=%d\n", at(p, row, column) == 'B' ? 1 : 2, row + 1,
                 column + 1);
        return;
      }
    }
  }
  snprintf(answer, capacity, "legal=yes\nwinner=0\n");
}

/* Executes the action of this line and writes its answer; returns 0 when the line is not an action. */
static int act(struct position *p, const char *line, char *answer, size_t capacity) {
  char colour[8];
  int row, column;
  int legal;
  if (starts(line, "judge")) {
    judge(p, answer, capacity);
    return 1;
  }
  if (sscanf(line, "place colour=%7s row=%d column=%d", colour, &row, &column) == 3) {
    legal = p->cells[row][column] == '.';
    if (legal) p->cells[row][column] = colour[0] == 'b' ? 'B' : 'W';
  } else if (sscanf(line, "remove row=%d column=%d", &row, &column) == 2) {
    legal = p->cells[row][column] != '.';
    p->cells[row][column] = '.';
  } else {
    return 0;
  }
  snprintf(answer, capacity, "legal=%s\n", legal ? "yes" : "no");
  return 1;
}

static void show(const struct position *p, char *out) {
  out += sprintf(out, "size=%d\n", p->size);
  for (int row = 0; row < p->size; ++row) out += sprintf(out, "board[%d]=%.*s\n", row, p->size, p->cells[row]);
}

static const char *play(const struct lockstep_simulator *self, struct lockstep_run *run) {
  struct position position;
  char text[1024];
  size_t next = 0; /* index of the next wanted snapshot */
  uint64_t done = 0;
  const char *line = read_setup(run->scenario, &position);
  (void)self;
  if (line == NULL) return "expected a scenario of omok";
  for (;; ++done, line = next_line(line)) {
    if (next < run->position_count && run->positions[next] == done) {
      show(&position, text);
      run->snapshot(run, text);
      ++next;
    }
    if (*line == '\0') return NULL;
    if (!act(&position, line, text, sizeof text)) return "expected place, remove or judge";
    run->observation(run, text);
  }
}

const struct lockstep_plugin *lockstep_plugin_entry(void) {
  static const struct lockstep_simulator simulators[] = {{"omok", "in_c", "every run is counted from its first stone", play}};
  static const struct lockstep_plugin plugin = {LOCKSTEP_PLUGIN_VERSION, 1, simulators};
  return &plugin;
}
