// SPDX-License-Identifier: MIT OR Unlicense
//
// scenes.js: the levels that the page comes with, as text maps and lists of things.

// Letters of a map that stand for things rather than tiles.
const MAP_THINGS = { "o": "coin", "C": "crate", "O": "ball", "F": "foe", "@": "hero", "X": "goal", "P": "flag" };

// Things are given as [type, x, y, members]; x and y are the middle, in cells from the lower left.
function levelFromMap(name, map, things, options) {
    const rows = map.length, columns = Math.max(...map.map(row => row.length));
    const level = makeLevel(columns, rows);
    level.name = name;
    for (const [key, value] of Object.entries(options || {})) level.options[OPTION[key]] = value;
    const top = level.options[OPTION.view] === TOP_VIEW;
    map.forEach((row, up) => [...row].forEach((letter, x) => {
        const y = rows - 1 - up, type = MAP_THINGS[letter];
        if (!type) {
            level.tiles[x + y * columns] = Math.max(0, TILE_CHARS.indexOf(letter));
            return;
        }
        const thing = makeThing(T[type], { x: x + 0.5, y: y + 0.5 });
        if (top && type === "crate") thing.w = thing.h = Math.fround(0.94);
        if (top && type === "hero") thing.w = thing.h = Math.fround(0.8);
        if (!top && !["coin", "goal"].includes(type)) thing.y = Math.fround(y + thing.h / 2 + 0.002);
        level.things.push(thing);
    }));
    for (const [type, x, y, more] of things) level.things.push(makeThing(T[type], { x, y, ...more }));
    return level;
}

const SCENES = [];

function scene(id, title, hint, make, more) { SCENES.push({ id, title, hint, make, ...more }); }

scene("platformer", "Platformer",
    "Run and jump; ↓ drops through turquoise ledges. Lifts wait for you, the crusher does not.",
    () => levelFromMap("Platformer", [
        "#                                                              #",
        "#                                                              #",
        "#                                                              #",
        "#                                        o o o                 #",
        "#                                                              #",
        "#                          o  o                            P   #",
        "#                                                         ######",
        "#                o                                             #",
        "#               ---       ------                               #",
        "#         o                        #  o                        #",
        "#        ---                       ####          o             #",
        "#                                  #                           #",
        "#    o          ---     o          #         C      F          #",
        "#  @     C             ab          #    #################      #",
        "############  ########/##cd####  ###   ##################      #",
        "############  #################  ###^^^##################^^^^^^#",
        "################################################################",
    ], [
        ["lift", 33, 2.3, { w: 1.9, h: 0.5, dy: 5.2, speed: 2.4 }],
        ["lift", 39, 8, { w: 3, dx: 7, dy: 0, speed: 3 }],
        ["crusher", 44.5, 9, { w: 2.4, h: 2, dy: -3.9 }],
        ["lift", 59.5, 2.7, { w: 3, h: 0.5, dy: 7, speed: 3 }],
        ["foe", 28, 2.5, {}],
    ]));

scene("crates", "Crates",
    "Push every crate onto a goal. You can push a whole row of them, but you cannot pull.",
    () => levelFromMap("Crates", [
        "################",
        "#      #       #",
        "# @ C  #  XX   #",
        "#   C     XX   #",
        "#  ##  #       #",
        "#   C  #  ######",
        "#   C          #",
        "#      #       #",
        "################",
    ], [], { view: TOP_VIEW, "run speed": 5 }));
