// SPDX-License-Identifier: MIT OR Unlicense
//
// level.js: what levels are made of. The orders are those of the enums in game.h.

const TYPES = [
    "nothing",
    "box",
    "ledge",
    "lift",
    "door",
    "plate",
    "wheel",
    "pendulum",
    "belt",
    "crusher",
    "crate",
    "ball",
    "foe",
    "coin",
    "goal",
    "flag",
    "hero",
    "crowd",
    "planet"
];
const T = Object.fromEntries(TYPES.map((name, i) => [name, i]));

// A thing is an object with these members; a level keeps it as an array in this order, without zeros at the end.
const MEMBERS = ["type", "x", "y", "w", "h", "angle", "dx", "dy", "speed", "tag"];

// Name of each type, size of a new one, and the members that it uses: [member, label, min, max, step].
const PATH = [
    ["dx", "path dx", -20, 20, 0.5],
    ["dy", "path dy", -20, 20, 0.5]
];
const KINDS = {
    box: { label: "Box", w: 3, h: 1, fields: [] },
    ledge: { label: "One-way ledge", w: 4, h: 0.25, fields: [] },
    lift: {
        label: "Lift",
        w: 3,
        h: 0.5,
        dx: 0,
        dy: 4,
        speed: 2.5,
        fields: [...PATH, ["speed", "speed", 0.2, 12, 0.1], ["tag", "phase", 0, 2, 0.1]]
    },
    door: {
        label: "Door",
        w: 0.6,
        h: 3,
        dx: 0,
        dy: 3,
        speed: 5,
        fields: [...PATH, ["speed", "speed", 0.5, 12, 0.1], ["tag", "channel", 0, 4, 1]]
    },
    plate: { label: "Plate", w: 1.4, h: 0.25, fields: [["tag", "channel", 0, 4, 1]] },
    wheel: {
        label: "Wheel",
        w: 4,
        h: 0.4,
        speed: 1,
        tag: 4,
        fields: [
            ["speed", ".spin", -6, 6, 0.1],
            ["tag", "arms", 0, 8, 1]
        ]
    },
    pendulum: {
        label: "Pendulum",
        w: 1.6,
        h: 4,
        dx: 1,
        speed: 2,
        fields: [
            ["dx", "swing", 0, 3, 0.05],
            ["speed", "speed", 0.2, 6, 0.1],
            ["tag", "platform", 0, 1, 1]
        ]
    },
    belt: { label: "Belt", w: 5, h: 0.5, speed: 3, fields: [["speed", ".surface_velocity", -10, 10, 0.5]] },
    crusher: {
        label: "Crusher",
        w: 2,
        h: 1.5,
        dx: 0,
        dy: -4,
        speed: 1,
        fields: [...PATH, ["speed", "speed", 0.2, 4, 0.1], ["tag", "phase", 0, 3, 0.1]]
    },
    crate: { label: "Crate", w: 1, h: 1, fields: [["tag", ".glide", 0, 1, 1]] },
    ball: { label: "Ball", w: 1, h: 1, fields: [["tag", ".glide", 0, 1, 1]] },
    foe: { label: "Foe", w: 0.9, h: 0.9, speed: 2, fields: [["speed", "speed", -8, 8, 0.5]] },
    coin: { label: "Coin", w: 0.6, h: 0.6, fields: [] },
    goal: { label: "Goal", w: 0.5, h: 0.5, fields: [] },
    flag: { label: "Flag", w: 0.6, h: 2, fields: [] },
    hero: { label: "Hero", w: 0.7, h: 1.5, fields: [["tag", "player", 0, 1, 1]] },
    crowd: {
        label: "Crowd",
        w: 12,
        h: 12,
        speed: 1.5,
        tag: 100,
        fields: [
            ["speed", "speed", 0, 6, 0.5],
            ["tag", "count", 0, 20000, 100]
        ]
    },
    planet: { label: "Planet", w: 8, h: 8, speed: 0.2, fields: [["speed", ".spin", -2, 2, 0.05]] }
};

const TILE_CHARS = " #-o/\\abcd><^"; // in the order of the values; o is not used: coins are things
const TILE_NAMES = [
    "empty",
    "solid",
    "one-way",
    "sensor",
    "slope up",
    "slope down",
    "low slope up",
    "low slope up",
    "low slope down",
    "low slope down",
    "belt right",
    "belt left",
    "spikes"
];

// Options: name in C, default, range; those that begin with a dot are members of the hero's kin_body_desc.
const SIDE_VIEW = 0,
    TOP_VIEW = 1,
    PLANETS = 2;
const OPTIONS = [
    { name: "gravity", value: 30, min: 0, max: 80, step: 1, hint: "downwards, units per second squared" },
    { name: "view", value: 0, hidden: true },
    { name: "run speed", value: 7, min: 1, max: 20, step: 0.5, hint: "of the game: units per second" },
    { name: "jump speed", value: 13, min: 2, max: 30, step: 0.5, hint: "of the game: units per second" },
    { name: ".max_slope", value: 0.8, min: 0.05, max: 1.5, step: 0.05, hint: "steepest stable ground, in radians" },
    { name: ".snap", value: 0.2, min: 0.01, max: 1, step: 0.01, hint: "how far it follows falling ground" },
    { name: ".step_height", value: 0.3, min: 0, max: 1.2, step: 0.05, hint: "highest step it walks up" },
    { name: ".corner_nudge", value: 0.15, min: 0, max: 0.5, step: 0.05, hint: "how far it is moved past a corner" },
    { name: ".gravity_scale", value: 1, min: 0.1, max: 3, step: 0.1, hint: "of the hero alone" },
    {
        name: ".leftover_fade",
        value: 0,
        min: 0,
        max: 1,
        step: 0.05,
        hint: "part of a mover's motion lost per second"
    },
    { name: ".push", value: 1, choices: ["KIN_PUSHABLE", "KIN_UNPUSHABLE", "KIN_INTANGIBLE"] },
    { name: ".ride", value: 0, choices: ["KIN_RIDE_STICK", "KIN_RIDE_PHYSICAL"] },
    { name: ".leave", value: 0, choices: ["KIN_LEAVE_ADD", "KIN_LEAVE_UP_ONLY", "KIN_LEAVE_NONE"] },
    { name: ".slope", value: 0, choices: ["KIN_SLOPE_SURFACE_SPEED", "KIN_SLOPE_HORIZONTAL_SPEED"] }
];
const OPTION = Object.fromEntries(OPTIONS.map((option, i) => [option.name, i]));

const MOST_THINGS = 768,
    MOST_COLUMNS = 256,
    MOST_ROWS = 128;

// A thing with defaults for what is not said, in single precision, as C sees it.
function makeThing(type, given) {
    const thing = { type, x: 0, y: 0, w: 1, h: 1, angle: 0, dx: 0, dy: 0, speed: 0, tag: 0 };
    const kind = KINDS[TYPES[type]] || {};
    for (const name of MEMBERS) {
        if (name !== "type" && kind[name] !== undefined) thing[name] = kind[name];
        if (given && given[name] !== undefined) thing[name] = given[name];
        thing[name] = Math.fround(thing[name]);
    }
    return thing;
}

function packThing(thing) {
    const list = MEMBERS.map(name => shortest(thing[name]));
    while (list.length > 1 && list[list.length - 1] === 0) list.pop();
    return list;
}

// From outside: what is no sensible number becomes one.
function unpackThing(list) {
    const limit = (value, most) => (Number.isFinite(value) ? Math.max(-most, Math.min(most, value)) : 0);
    const thing = {};
    MEMBERS.forEach((name, i) => {
        thing[name] = Math.fround(limit(+list[i], i < 3 ? 1e4 : name === "tag" ? 2e4 : 500));
    });
    thing.type = TYPES[thing.type] ? thing.type : 0;
    thing.w = Math.max(Math.abs(thing.w), Math.fround(0.1));
    thing.h = Math.max(Math.abs(thing.h), Math.fround(0.1));
    return thing;
}

function makeLevel(columns, rows) {
    return {
        name: "",
        columns,
        rows,
        tiles: new Uint8Array(columns * rows),
        options: OPTIONS.map(o => o.value),
        things: []
    };
}

function copyLevel(level) {
    return {
        ...level,
        tiles: level.tiles.slice(),
        options: level.options.slice(),
        things: level.things.map(t => ({ ...t }))
    };
}

// As plain data for JSON: tiles as runs of one letter and a count.
function packLevel(level) {
    let runs = "";
    for (let i = 0; i < level.tiles.length;) {
        let k = i;
        while (k < level.tiles.length && level.tiles[k] === level.tiles[i]) k++;
        runs += String.fromCharCode(97 + level.tiles[i]) + (k - i > 1 ? k - i : "");
        i = k;
    }
    return {
        v: 1,
        n: level.name,
        s: [level.columns, level.rows],
        t: runs,
        o: level.options.map(shortest),
        p: level.things.map(packThing)
    };
}

function unpackLevel(data) {
    const size = (value, most) => Math.max(1, Math.min(most, value | 0));
    const level = makeLevel(size(data.s[0], MOST_COLUMNS), size(data.s[1], MOST_ROWS));
    let at = 0;
    for (const [, letter, count] of String(data.t).matchAll(/([a-z])(\d*)/g)) {
        const value = letter.charCodeAt(0) - 97,
            end = Math.min(level.tiles.length, at + (count ? +count : 1));
        level.tiles.fill(value < TILE_NAMES.length ? value : 0, at, end);
        at = end;
    }
    level.name = String(data.n || "").slice(0, 60);
    level.options = OPTIONS.map((option, i) => {
        const value = Number.isFinite(data.o[i]) ? data.o[i] : option.value;
        const most = option.choices ? option.choices.length - 1 : option.max === undefined ? 2 : option.max;
        return Math.fround(Math.max(option.min || 0, Math.min(most, option.choices ? value | 0 : value)));
    });
    level.things = data.p.slice(0, MOST_THINGS).map(unpackThing);
    return level;
}
