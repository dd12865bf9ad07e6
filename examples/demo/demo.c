/* SPDX-License-Identifier: MIT OR Unlicense

   demo.c: runs the level of level.h with the recorded input, and tells what happens.

   In a terminal it plays; elsewhere it prints the events and, now and then, the level as text. With a file name it also
   writes the run as a moving picture. demo --help lists this. */
#define _DEFAULT_SOURCE   /* for isatty, nanosleep and the size of the terminal */
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
#include "level.h"
#include "picture.h"
#include "screen.h"

#if defined(__unix__) || defined(__APPLE__)
#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#define HAS_TERMINAL
#endif

enum { LINES = 5, LINE = 80 };   /* of events below the level, and characters in one */

typedef struct story {
    picture picture;
    char    lines[LINES][LINE];   /* the last events, oldest first */
    bool    plays;                /* in a terminal */
    kin_id  hero;                 /* whom a small terminal follows */
} story;

/* ---- events ------------------------------------------------------------------------------------------------------ */

static const char *name_of(const kin_world *world, kin_id id)
{
    const look *seen = kin_alive(world, id) ? kin_get_user(world, id) : NULL;
    return seen ? seen->name : "something";
}

/* One line for an event; empty for those that would only be noise here. */
static void describe(const kin_world *world, const kin_event *event, char *out, size_t room)
{
    const char *a = name_of(world, event->a), *b = name_of(world, event->b), *c = name_of(world, event->c);
    out[0] = 0;
    switch (event->type) {
    case KIN_EVENT_BEGAN:
        if (kin_get_user(world, event->b) != &EARTH) snprintf(out, room, "%s touches %s", a, b);
        break;
    case KIN_EVENT_LANDED: snprintf(out, room, "%s lands on %s", a, b); break;
    case KIN_EVENT_LEFT: snprintf(out, room, "%s leaves %s", a, b); break;
    case KIN_EVENT_CRUSHED: snprintf(out, room, "%s is CRUSHED between %s and %s", a, b, c); break;
    case KIN_EVENT_EMBEDDED: snprintf(out, room, "%s is stuck in %s", a, b); break;
    case KIN_EVENT_FREED: snprintf(out, room, "%s is free again", a); break;
    case KIN_EVENT_BLOCKED: snprintf(out, room, "%s is blocked by %s", a, b); break;
    case KIN_EVENT_CONTINUED: case KIN_EVENT_ENDED: break;
    }
}

static void on_event(kin_world *world, const kin_event *event, void *user)
{
    story *s = user;
    char   text[LINE - 10];
    describe(world, event, text, sizeof text);
    if (!text[0]) return;
    memmove(s->lines[0], s->lines[1], sizeof s->lines - sizeof s->lines[0]);
    snprintf(s->lines[LINES - 1], LINE, "%5.2f s  %s", (double)event->step / RATE, text);
    record_caption(&s->picture, s->lines[LINES - 1]);
    if (!s->plays) puts(s->lines[LINES - 1]);
}

/* ---- the terminal ------------------------------------------------------------------------------------------------ */

#ifdef HAS_TERMINAL
static volatile sig_atomic_t interrupted;
static void interrupt(int signal) { (void)signal; interrupted = 1; }
static bool is_interrupted(void) { return interrupted; }

static int number_in(const char *variable)
{
    const char *text = getenv(variable);
    return text ? atoi(text) : 0;
}

/* The environment wins, as in other programs. False: this is no terminal that can be drawn on. */
static bool terminal_size(int *columns, int *rows)
{
    struct winsize size = { 0 };
    const char    *term = getenv("TERM");
    if (!isatty(STDOUT_FILENO) || !term || !strcmp(term, "dumb")) return false;
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    *columns = number_in("COLUMNS") > 0 ? number_in("COLUMNS") : size.ws_col ? size.ws_col : 80;
    *rows = number_in("LINES") > 0 ? number_in("LINES") : size.ws_row ? size.ws_row : 24;
    return *columns >= 16 && *rows >= 5;
}

/* The whole level as large as it fits, with all lines below it. Where it does not fit at two pixels to a unit: fewer
   lines, and the part around the hero. */
static bool fit_view(const kin_world *world, kin_id hero, view *v, int *lines, int *line)
{
    int columns, rows, scale = MAX_SCALE;
    if (!terminal_size(&columns, &rows)) return false;
    while (scale > 2 && (WIDTH * scale > columns || HEIGHT * scale / 2 + LINES >= rows)) scale--;
    *lines = within(rows / 4 - 1, 1, LINES);
    *line = within(columns - 2, 1, LINE - 1);
    v->scale = scale;
    v->columns = within(columns, 1, WIDTH * scale);
    v->rows = within(2 * (rows - 1 - *lines), 2, HEIGHT * scale);
    kin_vec p = kin_get_position(world, hero);
    v->left = within((int)(p.x * (float)scale) - v->columns / 2, 0, WIDTH * scale - v->columns);
    v->low = within((int)(p.y * (float)scale) - v->rows / 2, 0, HEIGHT * scale - v->rows) & ~1;
    return true;
}

static void wait_for(struct timespec *next, long nanoseconds)
{
    struct timespec now, rest;
    next->tv_nsec += nanoseconds;
    if (next->tv_nsec >= 1000000000) next->tv_nsec -= 1000000000, next->tv_sec++;
    clock_gettime(CLOCK_MONOTONIC, &now);
    rest.tv_sec = next->tv_sec - now.tv_sec;
    rest.tv_nsec = next->tv_nsec - now.tv_nsec;
    if (rest.tv_nsec < 0) rest.tv_nsec += 1000000000, rest.tv_sec--;
    if (rest.tv_sec < 0) *next = now;   /* too slow for this machine: take it easy */
    else nanosleep(&rest, NULL);
}

static void play_frame(const kin_world *world, const story *s)
{
    static struct timespec next;
    static view            last;
    view                   v;
    int                    lines, line;
    if (!next.tv_sec) clock_gettime(CLOCK_MONOTONIC, &next);
    if (fit_view(world, s->hero, &v, &lines, &line)) {
        if (v.columns != last.columns || v.rows != last.rows) fputs("\033[2J", stdout);   /* it was resized */
        last = v;
        draw_screen(world, &v);
        for (int i = LINES - lines; i < LINES; i++)
            printf("\033[%dm %.*s\033[0m\033[K%s", i == LINES - 1 ? 1 : 2, line, s->lines[i], i < LINES - 1 ? "\n" : "");
        fflush(stdout);
    }
    wait_for(&next, 1000000000 / RATE * FRAME_STEPS);
}

static bool can_play(void) { int columns, rows; return terminal_size(&columns, &rows); }

static void open_terminal(void)
{
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    fputs("\033[?1049h\033[?25l", stdout);   /* a screen of its own, without cursor */
}

static void close_terminal(void) { fputs("\033[?25h\033[?1049l", stdout); }
#else
static bool is_interrupted(void) { return false; }
static bool can_play(void) { return false; }
static void play_frame(const kin_world *world, const story *s) { (void)world, (void)s; }
static void open_terminal(void) {}
static void close_terminal(void) {}
#endif

/* ---- main -------------------------------------------------------------------------------------------------------- */

static const char HELP[] =
    "usage: demo [--text] [FILE.svg]\n\n"
    "Runs a small level with recorded input: %d seconds. In a terminal it plays, in whatever size there is, and\n"
    "Ctrl-C ends it; elsewhere it prints what happens.\n\n"
    "  --text     prints what happens, in a terminal as well\n"
    "  FILE.svg   also writes the run as a moving picture, for a browser\n";

static const char NEXT[] =
    "\nWhat next?\n"
    "  examples/hello.c   a whole program in 26 lines; make builds it and the others into build/examples\n"
    "  make window        play yourself, in a window\n"
    "  make playground    play, build and rewind levels, in a browser\n"
    "  docs/index.html    manual, reference, cheat sheet, names from other engines\n"
    "  kinematic.h        copy it into your game; the manual is the comment at its top\n";

static void run(kin_world *world, story *s)
{
    int steps = last_step();
    for (int step = 0; step < steps && !is_interrupted(); step++) {
        kin_world_step(world, 1.0f / RATE);
        if (step % FRAME_STEPS == 0) {
            record_frame(&s->picture, world);
            if (s->plays) play_frame(world, s);
        }
        if (!s->plays && step % (4 * RATE) == 2 * RATE) print_text(world);
    }
}

/* Plays or tells the level, and writes the picture if there is a path. False: it cannot be written. */
static bool show(kin_world *world, story *s, const char *path)
{
    bool good = true;
    if (s->plays) open_terminal();
    run(world, s);
    if (s->plays) close_terminal();
    printf("%d steps, %d events told; hash of the last state %016llx\n", (int)kin_world_steps(world),
           s->picture.captions, (unsigned long long)kin_world_hash(world));
    if (path && !is_interrupted()) {
        good = write_picture(&s->picture, world, path);
        if (good) printf("the same as a moving picture, for a browser: %s\n", path);
        else fprintf(stderr, "cannot write %s\n", path);
    }
    fputs(NEXT, stdout);
    return good;
}

int main(int count, char **arguments)
{
    static story s;
    const char  *path = NULL;
    bool         text = false;
    for (int i = 1; i < count; i++) {
        if (!strcmp(arguments[i], "--help") || !strcmp(arguments[i], "-h")) return printf(HELP, last_step() / RATE) < 0;
        if (!strcmp(arguments[i], "--text")) text = true;
        else if (arguments[i][0] != '-' && !path) path = arguments[i];
        else return fprintf(stderr, "demo: no such option: %s (see demo --help)\n", arguments[i]), 2;
    }
    kin_world *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 }, .on_event = on_event, .user = &s });
    s.hero = fill_level(world);
    begin_picture(&s.picture, world);
    s.plays = !text && can_play();
    bool good = show(world, &s, path);
    kin_world_destroy(world);
    return good ? 0 : 1;
}
