/* SPDX-License-Identifier: MIT OR Unlicense

   demo.c: runs the level of level.h with the recorded input, and tells what happens.

   In a terminal it plays; elsewhere it prints the events and, now and then, the level as text. With a file name it also
   writes the run as a moving picture:

       demo [--text] [demo.svg] */
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

enum { LINES = 5, LINE = 80 };   /* of events below the level */

typedef struct story {
    picture picture;
    char    lines[LINES][LINE];   /* the last events, oldest first */
    bool    plays;                /* in a terminal */
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

/* Pixels to a unit, as many as fit; 0: this is no terminal, or too small a one. */
static int terminal_scale(void)
{
    struct winsize size;
    int scale = 6;
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    while (scale > 0 && (WIDTH * scale > size.ws_col || HEIGHT * scale / 2 + LINES >= size.ws_row)) scale--;
    return scale < 2 ? 0 : scale;
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

static void play_frame(const kin_world *world, const story *s, int scale)
{
    static struct timespec next;
    if (!next.tv_sec) clock_gettime(CLOCK_MONOTONIC, &next);
    draw_screen(world, scale);
    for (int i = 0; i < LINES; i++)
        printf("\033[%dm %s\033[0m\033[K%s", i == LINES - 1 ? 1 : 2, s->lines[i], i < LINES - 1 ? "\n" : "");
    fflush(stdout);
    wait_for(&next, 1000000000 / RATE * FRAME_STEPS);
}

static void open_terminal(void)
{
    signal(SIGINT, interrupt);
    fputs("\033[?1049h\033[?25l\033[2J", stdout);   /* a screen of its own, without cursor */
}

static void close_terminal(void) { fputs("\033[?25h\033[?1049l", stdout); }
#else
static bool is_interrupted(void) { return false; }
static int terminal_scale(void) { return 0; }
static void play_frame(const kin_world *world, const story *s, int scale) { (void)world, (void)s, (void)scale; }
static void open_terminal(void) {}
static void close_terminal(void) {}
#endif

/* ---- main -------------------------------------------------------------------------------------------------------- */

static void run(kin_world *world, story *s, int scale)
{
    int steps = last_step();
    for (int step = 0; step < steps && !is_interrupted(); step++) {
        kin_world_step(world, 1.0f / RATE);
        if (step % FRAME_STEPS == 0) {
            record_frame(&s->picture, world);
            if (s->plays) play_frame(world, s, scale);
        }
        if (!s->plays && step % (4 * RATE) == 2 * RATE) print_text(world);
    }
}

int main(int count, char **arguments)
{
    static story s;
    bool         text = count > 1 && strcmp(arguments[1], "--text") == 0;
    const char  *path = count > 1 + text ? arguments[1 + text] : NULL;
    int          status = 0, scale = text ? 0 : terminal_scale();
    kin_world   *world = kin_world_create(&(kin_world_desc){ .gravity = { 0, -30 }, .on_event = on_event, .user = &s });
    fill_level(world);
    begin_picture(&s.picture, world);
    s.plays = scale > 0;
    if (s.plays) open_terminal();
    run(world, &s, scale);
    if (s.plays) close_terminal();
    printf("%d steps, %d events told; hash of the last state %016llx\n", (int)kin_world_steps(world),
           s.picture.captions, (unsigned long long)kin_world_hash(world));
    if (path && !is_interrupted()) {
        bool good = write_picture(&s.picture, world, path);
        if (good) printf("the same as a moving picture, for a browser: %s\n", path);
        else fprintf(stderr, "cannot write %s\n", path);
        status = good ? 0 : 1;
    }
    kin_world_destroy(world);
    return status;
}
