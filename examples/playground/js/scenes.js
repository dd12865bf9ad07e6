// SPDX-License-Identifier: MIT OR Unlicense
//
// scenes.js: the levels that the page comes with, as text maps and lists of things.

// Letters of a map that stand for things rather than tiles.
const MAP_THINGS = { o: "coin", C: "crate", O: "ball", F: "foe", "@": "hero", X: "goal", P: "flag" };

// Things are given as [type, x, y, members]; x and y are the middle, in cells from the lower left.
function levelFromMap(name, map, things, options) {
    const rows = map.length,
        columns = Math.max(...map.map(row => row.length));
    const level = makeLevel(columns, rows);
    level.name = name;
    for (const [key, value] of Object.entries(options || {})) level.options[OPTION[key]] = value;
    const top = level.options[OPTION.view] === TOP_VIEW;
    map.forEach((row, up) =>
        [...row].forEach((letter, x) => {
            const y = rows - 1 - up,
                type = MAP_THINGS[letter];
            if (!type) {
                level.tiles[x + y * columns] = Math.max(0, TILE_CHARS.indexOf(letter));
                return;
            }
            const thing = makeThing(T[type], { x: x + 0.5, y: y + 0.5 });
            if (top && type === "crate") thing.w = thing.h = Math.fround(0.94);
            if (top && type === "hero") thing.w = thing.h = Math.fround(0.8);
            if (!top && !["coin", "goal"].includes(type)) thing.y = Math.fround(y + thing.h / 2 + 0.002);
            level.things.push(thing);
        })
    );
    for (const [type, x, y, more] of things) level.things.push(makeThing(T[type], { x, y, ...more }));
    return level;
}

const SCENES = [];

function scene(id, title, hint, make, more) {
    SCENES.push({ id, title, hint, make, ...more });
}

scene(
    "platformer",
    "Platformer",
    "Run, jump, ride the lifts, mind the crusher. Turquoise ledges let you through: ↓ drops.",
    () =>
        levelFromMap(
            "Platformer",
            [
                "#                                                        #     #",
                "#                                                        #     #",
                "#                                                        #     #",
                "#                                                        #     #",
                "#                                                        #     #",
                "#                                                        #     #",
                "#                                       o o                    #",
                "#         oo                                                   #",
                "#        ----                      o            C     o     P  #",
                "#    o                     o      ###         ##################",
                "#   ---                   ---     ###         ##################",
                "#         o            o          ###         ##################",
                "#        ---      o   ---         ###         ##################",
                "#                                 ###         ##################",
                "#  @    C       /###\\    F        ###         ##################",
                "############  #################   ###^^^^^^^^^##################",
                "############^^#################   ##############################",
                "################################################################"
            ],
            [
                ["lift", 32.5, 2.7, { w: 2.7, dy: 6.05, speed: 2.6 }],
                ["lift", 38.7, 8.75, { w: 2.6, dx: 5.6, dy: 0, speed: 2.6, tag: 0.4 }],
                ["crusher", 51.5, 14.2, { w: 2.6, h: 2.2, dy: -4.05, speed: 1 }],
                ["door", 57.5, 10.5, { w: 0.7, h: 3, dy: 2.8 }]
            ]
        ),
    { wide: 30 }
);

scene(
    "machines",
    "Turntables and pendulums",
    "All that turns takes you along, and a swing throws you as far as it swings.",
    () =>
        levelFromMap(
            "Turntables and pendulums",
            [
                "#                                                      #",
                "#                                                      #",
                "#                                                      #",
                "#                                                      #",
                "#                                                      #",
                "#                                                      #",
                "#                                                      #",
                "#                                       o              #",
                "#                                                      #",
                "#                                                      #",
                "#                       o                         P    #",
                "#           o                    o            ##########",
                "#                                             ##########",
                "#                                             ##########",
                "#      o                                      ##########",
                "#                                             ##########",
                "#           o                                 ##########",
                "#  @                       C C                ##########",
                "########################################################",
                "########################################################"
            ],
            [
                ["wheel", 12.5, 2, { w: 6.4, tag: 0, speed: -0.7 }],
                ["wheel", 24.5, 7.6, { w: 10, h: 0.35, tag: 6, speed: 0.55 }],
                ["pendulum", 34, 17, { w: 3.2, h: 9, dx: 0.85, speed: 1.3, tag: 1 }],
                ["pendulum", 41, 16, { w: 2.4, h: 10.2, dx: 0.7, speed: 1.7 }],
                ["wheel", 6.5, 7.5, { w: 3, h: 0.3, tag: 2, speed: 1.6 }],
                ["lift", 44.4, 2.3, { w: 2.6, dy: 6.4, speed: 2.2 }]
            ]
        ),
    { wide: 32 }
);

scene("crates", "Crates", "Push a crate onto every goal. A whole row goes along, but nothing can be pulled.", () =>
    levelFromMap(
        "Crates",
        [
            "####################",
            "#      #    #      #",
            "#      #    #      #",
            "# @ C  #    #  XX  #",
            "#      # C  #  XX  #",
            "#           #      #",
            "#    C    C #      #",
            "#                  #",
            "#  C   # ##    X   #",
            "#      #           #",
            "#      #           #",
            "####################"
        ],
        [],
        { view: TOP_VIEW, "run speed": 5 }
    )
);

scene(
    "topdown",
    "From above",
    "No gravity: walls are slid along. Plates open the doors, crates can hold them down. Red ones bite.",
    () =>
        levelFromMap(
            "From above",
            [
                "##################################",
                "#         #           #          #",
                "# o     o #  o        # o      o #",
                "#         #           #          #",
                "#   #     # F         #  F       #",
                "#   #     #         o #          #",
                "#   #     #           #   ####   #",
                "#         #           #          #",
                "#         #######  ####          #",
                "#     C               #       P  #",
                "#  @          O       #      C   #",
                "#      C                   #     #",
                "#         #      O       o #     #",
                "#   ###   #   ##           #     #",
                "#         #   ##      #    #     #",
                "#         #   ##  F   #       F  #",
                "#         #           #          #",
                "# o     o #  o      o #        o #",
                "#         #           #          #",
                "##################################"
            ],
            [
                ["door", 10.5, 9.5, { w: 0.6, h: 3, dx: 0, dy: 2.8, speed: 4, tag: 1 }],
                ["plate", 7.5, 4.5, { w: 1.4, h: 1.4, tag: 1 }],
                ["door", 22.5, 7.5, { w: 0.6, h: 3, dx: 0, dy: -2.8, speed: 4, tag: 2 }],
                ["plate", 18.5, 15.5, { w: 1.4, h: 1.4, tag: 2 }],
                ["wheel", 17, 8.5, { w: 4, h: 0.4, tag: 4, speed: 0.8 }],
                ["lift", 28.5, 16, { w: 3, h: 0.8, dx: 0, dy: -1.8, speed: 1.5 }]
            ],
            { view: TOP_VIEW, "run speed": 6 }
        )
);

// A flight of stairs that goes up to the right.
function stairs(x, y, count, wide, high) {
    return Array.from({ length: count }, (_, i) => [
        "box",
        x + wide * (i + 0.5),
        y + (high * (i + 1)) / 2,
        { w: wide, h: high * (i + 1) }
    ]);
}

scene(
    "slopes",
    "Slopes and stairs",
    "Nobody hops down a slope. Try the sliders .max_slope, .snap and .step_height while you walk.",
    () =>
        levelFromMap(
            "Slopes and stairs",
            [
                "#                                                              #",
                "#                                                              #",
                "#                                                              #",
                "#                                                              #",
                "#                                                              #",
                "#                                                              #",
                "#                                                              #",
                "#                                                              #",
                "#                                                         P    #",
                "#                                     o               ##########",
                "#                 o           o                       ##########",
                "#                                                     ##########",
                "#        o                                            ##########",
                "#                /#\\                                  ##########",
                "#               /###\\                                 ##########",
                "#  @   ab##cd  /#####\\                                ##########",
                "################################################################",
                "################################################################"
            ],
            [
                ...stairs(25, 2, 8, 0.75, 0.25),
                ["box", 32.5, 3, { w: 3, h: 2 }],
                ["box", 36.3, 2.65, { w: 5.2, h: 0.4, angle: -0.42 }],
                ["box", 40.5, 2.1, { w: 0.8, h: 0.2 }],
                ["box", 42, 2.15, { w: 0.8, h: 0.3 }],
                ["box", 43.5, 2.2, { w: 0.8, h: 0.4 }],
                ["box", 49.6, 5.2, { w: 11.8, h: 0.5, angle: 0.66 }],
                ["ledge", 38, 7, { w: 5, h: 0.25, angle: 0.25 }],
                ["ledge", 30, 6.4, { w: 4, h: 0.25, angle: -0.25 }]
            ]
        ),
    { wide: 32 }
);

scene(
    "belts",
    "Belts",
    "Belts carry whatever stands on them, uphill too, and their speed adds to yours when you jump off.",
    () =>
        levelFromMap(
            "Belts",
            [
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#                                                #",
                "#           o         o                          #",
                "#                                       ##########",
                "#  @       C          C                 ##########",
                "########>>>>>>>>>#<<<<<<<<<#######################",
                "##################################################"
            ],
            [
                ["belt", 33, 3.6, { w: 12, h: 0.6, angle: 0.3, speed: 4 }],
                ["belt", 44.5, 5.2, { w: 6, h: 0.6, speed: 3 }],
                ["belt", 30, 9, { w: 18, h: 0.6, speed: -4 }],
                ["belt", 12, 7.2, { w: 12, h: 0.6, angle: -0.12, speed: 5 }],
                ["lift", 47, 6, { w: 2.6, dy: 3.2, speed: 2 }],
                ["crate", 36, 9.82, {}],
                ["crate", 33, 9.82, {}],
                ["ball", 30, 9.82, {}],
                ["crate", 9, 8.3, {}],
                ["coin", 14, 9, {}],
                ["coin", 26, 11, {}],
                ["coin", 44, 7, {}],
                ["flag", 3, 11.3, {}],
                ["ledge", 3.5, 10.1, { w: 5 }]
            ]
        ),
    { wide: 32 }
);

// A wall around an empty field.
function field(columns, rows) {
    const inside = "#" + " ".repeat(columns - 2) + "#",
        wall = "#".repeat(columns);
    return [wall, ...Array(rows - 2).fill(inside), wall];
}

scene(
    "crowd",
    "10,000 bodies",
    "Each has its own mind. Plough through them and watch µs/step: those at rest are idle and cost nothing.",
    () =>
        levelFromMap(
            "10,000 bodies",
            field(160, 120),
            [
                ["hero", 80, 60, { w: 2.4, h: 2.4 }],
                ["crowd", 80, 60, { w: 156, h: 116, tag: 10000, speed: 1.5 }],
                ["wheel", 58, 70, { w: 22, h: 0.8, tag: 4, speed: 0.4 }],
                ["wheel", 104, 52, { w: 16, h: 0.8, tag: 3, speed: -0.5 }]
            ],
            { view: TOP_VIEW, "run speed": 12 }
        ),
    { wide: 64 }
);

scene(
    "planets",
    "Planets",
    "Down is where the nearest planet is: kin_world_set_gravity in every step. The planets turn, and carry you.",
    () =>
        levelFromMap(
            "Planets",
            Array(30).fill(" ".repeat(52)),
            [
                ["hero", 12, 17, { w: 1.1, h: 1.1 }],
                ["planet", 12, 11, { w: 10, speed: 0.15 }],
                ["planet", 26, 19, { w: 7, speed: -0.35 }],
                ["planet", 40, 11, { w: 11, speed: 0.2 }],
                ["planet", 24, 5.5, { w: 4, speed: 0.6 }],
                ["coin", 12, 4.6, {}],
                ["coin", 5, 11, {}],
                ["coin", 19.3, 15, {}],
                ["coin", 26, 24, {}],
                ["coin", 24, 9, {}],
                ["coin", 40, 18.2, {}],
                ["coin", 47.3, 11, {}],
                ["coin", 33.2, 17, {}],
                ["coin", 40, 4, {}],
                ["pendulum", 33, 27, { w: 1.6, h: 4, dx: 1.2, speed: 1.5 }]
            ],
            { view: PLANETS, gravity: 25 }
        )
);

scene(
    "empty",
    "Your own level",
    "Draw tiles, put lifts, wheels and crates; it runs meanwhile. Share puts the level into the address.",
    () =>
        levelFromMap(
            "Your own level",
            [...Array(17).fill("#" + " ".repeat(46) + "#"), ...Array(3).fill("#".repeat(48))],
            [
                ["hero", 5, 3.76, {}],
                ["crate", 10, 3.51, {}]
            ]
        ),
    { wide: 34, editing: true }
);

scene(
    "rollback",
    "Rollback",
    "Two machines, 8 frames until one hears of the other's keys. They guess, go back, run again: the hashes agree.",
    () =>
        levelFromMap(
            "Rollback",
            [
                "#                        #",
                "#                        #",
                "#                        #",
                "#                        #",
                "#           C            #",
                "#         ------         #",
                "#                        #",
                "#    O              O    #",
                "#   ----          ----   #",
                "#                        #",
                "#                        #",
                "#  @     C      C        #",
                "##########################",
                "##########################"
            ],
            [
                ["hero", 22.5, 2.76, { tag: 1 }],
                ["wheel", 13, 1.2, { w: 4.4, tag: 0, speed: 1.2 }],
                ["lift", 1.9, 2.3, { w: 1.7, dy: 5, speed: 2 }],
                ["lift", 24.1, 2.3, { w: 1.7, dy: 5, speed: 2, tag: 1 }]
            ]
        ),
    { duel: true }
);

scene(
    "third-person",
    "Third person (3D)",
    "The same library, compiled with KINEMATIC_DIM=3. Turn the view with Q and X, or by walking sideways.",
    null,
    { three: true }
);
