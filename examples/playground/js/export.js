// SPDX-License-Identifier: MIT OR Unlicense
//
// export.js: "Copy as C". The program contains the game, the level, the keys and the edits, and ends with the hash that
// the page shows.

// The shortest decimal that is this float.
function shortest(value) {
    const single = Math.fround(value);
    for (let digits = 1; digits < 9; digits++)
        if (Math.fround(+single.toPrecision(digits)) === single) return +single.toPrecision(digits);
    return +single.toPrecision(9);
}

function cFloat(value) {
    const text = String(shortest(value));
    return /[.e]/.test(text) ? text + "f" : text;
}

function cThing(t) {
    const members = MEMBERS.slice(1)
        .filter(name => t[name] !== 0)
        .map(name => `, .${name} = ${cFloat(t[name])}`);
    return `{ .type = ${TYPES[t.type].toUpperCase()}${t.type ? members.join("") : ""} }`;
}

// Lines of at most 116 columns.
function cList(items, indent) {
    const lines = [];
    let line = indent;
    for (const item of items) {
        if (line.length + item.length + 2 > 116) {
            lines.push(line.trimEnd());
            line = indent;
        }
        line += item + ", ";
    }
    lines.push(line.trimEnd());
    return lines.join("\n");
}

function cMap(level) {
    const rows = [];
    for (let y = level.rows - 1; y >= 0; y--) {
        let row = "";
        for (let x = 0; x < level.columns; x++) row += TILE_CHARS[level.tiles[x + y * level.columns]];
        rows.push('    "' + row.replace(/\\/g, "\\\\") + '",');
    }
    return rows.join("\n");
}

function cKeys(inputs) {
    const runs = [];
    for (const keys of inputs) {
        const last = runs[runs.length - 1];
        if (last && last.keys === keys) last.steps++;
        else runs.push({ steps: 1, keys });
    }
    if (!runs.length) runs.push({ steps: 0, keys: 0 });
    return cList(
        runs.map(run => `{ ${run.steps}, 0x${run.keys.toString(16)} }`),
        "    "
    );
}

function cEdit(edit) {
    if (edit.op === "put") return `    { ${edit.step}, PUT, ${edit.index}, 0, 0, ${cThing(edit.thing)} },`;
    if (edit.op === "tile")
        return `    { ${edit.step}, TILE, ${edit.x}, ${edit.y}, ${edit.value}, { .type = NOTHING } },`;
    return `    { ${edit.step}, OPTION, ${edit.index}, 0, ${cFloat(edit.value)}, { .type = NOTHING } },`;
}

const C_HEAD = (title, dimension) => `/* ${title.replace(/[*/\\]/g, " ")}: from the playground of kinematic.h.

   Put kinematic.h beside this file, then:  cc -std=c99 -O2 level.c -o level -lm && ./level
   It plays what was played on the page, and ends with the same hash. */
${dimension === 3 ? "#define KINEMATIC_DIM 3\n" : ""}#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

`;

const C_KEYS = session => `/* For how many steps which keys were held. */
static const struct { int steps; uint32_t keys; } KEYS[] = {
${cKeys(session.inputs)}
};
`;

const C_END = `    printf("step %d, hash %016llx\\n", (int)kin_world_steps(g.world),
           (unsigned long long)kin_world_hash(g.world));
    kin_world_destroy(g.world);
    return 0;
}
`;

function copyAsC(session, title) {
    const level = session.level;
    const edits = session.edits.filter(edit => edit.step <= session.steps);
    return (
        C_HEAD(title, 2) +
        SOURCE2.replace(/^\/\* SPDX[^\n]*\n\n {3}/, "/* ") +
        `
/* ---- the level ------------------------------------------------------------------------------------------------- */

enum { COLUMNS = ${level.columns}, ROWS = ${level.rows} };

static const char *const MAP[ROWS] = {
${cMap(level)}
};

static const thing THINGS[] = {
${level.things.length ? level.things.map(t => "    " + cThing(t) + ",").join("\n") : "    { .type = NOTHING },"}
};

/* ${OPTIONS.map(option => option.name).join(", ")} */
static const float LEVEL_OPTIONS[OPTIONS] = {
${cList(level.options.map(cFloat), "    ")}
};

/* ---- what was played ------------------------------------------------------------------------------------------- */

${C_KEYS(session)}
/* Edits: after how many steps, what, where. */
enum { PUT, TILE, OPTION, NO_EDIT };
static const struct { int step, op, x, y; float value; thing what; } EDITS[] = {
${edits.map(cEdit).join("\n")}${edits.length ? "\n" : ""}    { 0, NO_EDIT, 0, 0, 0, { .type = NOTHING } }
};

static void build(game *g)
{
    static const char values[] = "${TILE_CHARS.replace(/\\/g, "\\\\")}";   /* of tiles, in their order */
    game_begin(g, COLUMNS, ROWS, LEVEL_OPTIONS, (kin_world_desc){ 0 });
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            int value = (int)(strchr(values, MAP[ROWS - 1 - y][x]) - values);
            if (value) game_tile(g, x, y, value);
        }
    for (int i = 0; i < ${level.things.length}; i++) game_put(g, i, THINGS[i]);
}

static int edit(game *g, int next, int step)
{
    for (; EDITS[next].op != NO_EDIT && EDITS[next].step == step; next++) {
        if (EDITS[next].op == PUT) game_put(g, EDITS[next].x, EDITS[next].what);
        if (EDITS[next].op == TILE) game_tile(g, EDITS[next].x, EDITS[next].y, (int)EDITS[next].value);
        if (EDITS[next].op == OPTION) game_option(g, EDITS[next].x, EDITS[next].value);
    }
    return next;
}

int main(void)
{
    static game g;
    int         step = 0, next;
    build(&g);
    next = edit(&g, 0, 0);
    for (size_t run = 0; run < sizeof KEYS / sizeof *KEYS; run++)
        for (int i = 0; i < KEYS[run].steps; i++) {
            game_step(&g, KEYS[run].keys);
            next = edit(&g, next, ++step);
        }
    printf("%d coins, %d falls%s\\n", g.coins, g.falls, g.won ? ", won" : "");
` +
        C_END
    );
}

// The 3D scene is code, so there is no level to write.
function copyAsC3(session, title) {
    return (
        C_HEAD(title, 3) +
        SOURCE3.replace(/^\/\* SPDX[^\n]*\n\n {3}/, "/* ") +
        `
/* ---- what was played ------------------------------------------------------------------------------------------- */

${C_KEYS(session)}
int main(void)
{
    static game g;
    game_begin(&g, 0, 0, NULL, (kin_world_desc){ 0 });
    for (size_t run = 0; run < sizeof KEYS / sizeof *KEYS; run++)
        for (int i = 0; i < KEYS[run].steps; i++) game_step(&g, KEYS[run].keys);
` +
        C_END
    );
}
