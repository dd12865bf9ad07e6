// SPDX-License-Identifier: MIT OR Unlicense
//
// core.js: the playground without a page, in node: the library as wasm, recorded plays, rewinding, sharing, rollback,
// and programs that "Copy as C" writes, compiled with gcc and run. The last line is "N passed, N failed".
//
//   python3 examples/playground/build.py --wasm && node tests/playground/core.js
const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const ROOT = path.resolve(__dirname, "../..");
const BUILD = path.join(ROOT, "build/playground");

// Everything that the scripts declare at their top.
function loadCore() {
    const source = fs.readFileSync(path.join(BUILD, "core.js"), "utf8");
    const names = [...source.matchAll(/^(?:const|class|(?:async )?function) (\w+)/gm)].map(match => match[1]);
    const context = vm.createContext({
        WebAssembly,
        TextDecoder,
        TextEncoder,
        Response,
        Blob,
        CompressionStream,
        DecompressionStream,
        performance,
        btoa,
        atob,
        console,
        Uint8Array,
        Float32Array
    });
    return vm.runInContext(`${source}\n({ ${[...new Set(names)].join(", ")} })`, context);
}

const core = loadCore();
let passed = 0,
    failed = 0;

function check(condition, what) {
    if (condition) passed++;
    else (failed++, console.log("FAILED: " + what));
}

// Keys that a player might press; the same every time.
function someKeys(step, seed) {
    const r = Math.imul(Math.floor(step / 17) + seed * 7919, 2654435761) >>> 0;
    return [2, 2, 2, 18, 18, 1, 17, 8, 0, 6, 5, 10][r % 12];
}

function play(session, steps, seed) {
    for (let i = 0; i < steps; i++) session.step(someKeys(session.steps, seed));
}

// At -O0, since the bits are the same and compiling is quicker. Of each dimension one program is compiled as it is; the
// others are linked with a library that is compiled once.
function compile(...more) {
    childProcess.execFileSync(
        process.env.GCC || "gcc",
        ["-std=c99", "-O0", "-Wall", "-Wextra", "-Werror", "-I" + ROOT, ...more],
        { stdio: "inherit" }
    );
}

let library = "";
function runProgram(source, name, whole) {
    const file = path.join(BUILD, name + ".c"),
        program = path.join(BUILD, name);
    fs.writeFileSync(file, source);
    if (!whole && !library) {
        library = path.join(BUILD, "library.o");
        compile("-c", path.join(ROOT, "tests/compile/implementation.c"), "-o", library);
    }
    compile(...(whole ? [] : ["-DKIN_IMPLEMENTED", library]), file, "-o", program, "-lm");
    return childProcess.execFileSync(program).toString();
}

function programEndsWith(source, name, session, whole) {
    const said = runProgram(source, name, whole).trim().split("\n").pop();
    check(
        said === `step ${session.steps}, hash ${session.game.hash}`,
        `${name}: the program says "${said}", ` + `the page step ${session.steps}, hash ${session.game.hash}`
    );
}

function testScene(engine, scene) {
    const makeGame = level => new core.Game(engine, level);
    const level = scene.make();
    const session = new core.Session(makeGame, level);
    check(session.game.count === level.things.length, scene.id + ": all things are there");
    const steps = scene.id === "crowd" ? 30 : 240;
    play(session, steps / 2, 1);
    const hash = session.game.hash,
        half = session.steps;
    play(session, steps / 2, 1);
    const end = session.game.hash;
    check(hash !== end, scene.id + ": something happens");
    check(session.rewindTo(half) && session.game.hash === hash, scene.id + ": rewinding gives the earlier hash");
    play(session, steps / 2, 1);
    check(session.game.hash === end, scene.id + ": and from there the same again");
    return session;
}

async function testShare(scene) {
    const level = scene.make(),
        text = await core.levelToText(level),
        back = await core.textToLevel(text);
    check(
        JSON.stringify(core.packLevel(back)) === JSON.stringify(core.packLevel(level)),
        scene.id + ": shared and read"
    );
    check(/^[A-Za-z0-9_-]+$/.test(text) && text.length < 4000, `${scene.id}: ${text.length} letters in the address`);
}

async function testBadShares() {
    check((await core.textToLevel("nonsense")) === null, "an address that is no level");
    const level = core.unpackLevel({
        s: [1e9, -3],
        t: "zz9b99999999",
        o: [NaN, "x"],
        p: [[99, NaN, 1e30, -5, "a"], []]
    });
    check(
        level.columns <= 256 && level.rows >= 1 && level.things.every(t => Object.values(t).every(Number.isFinite)),
        "a level with absurd numbers is made sensible"
    );
}

// Edits between steps, undone and done again, rewound past, and written as C.
function testEdits(engine) {
    const session = new core.Session(level => new core.Game(engine, level), core.SCENES[0].make());
    play(session, 40, 2);
    const before = session.game.count;
    session.put(session.freeIndex(), core.makeThing(core.T.crate, { x: 7, y: 6 }), "a");
    session.put(session.freeIndex(), core.makeThing(core.T.pendulum, { x: 12, y: 9 }), "b");
    check(session.game.count === before + 2, "two things are put");
    play(session, 30, 2);
    session.setTile(20, 10, 1, "c");
    session.setTile(21, 10, 4, "c");
    session.setOption(core.OPTION["run speed"], 9.5, "d");
    play(session, 30, 2);
    check(session.game.tiles()[20 + 10 * session.game.columns] === 1, "a tile is set");
    session.undo();
    session.undo();
    check(session.game.tiles()[20 + 10 * session.game.columns] === 0, "and undone, with its whole stroke");
    session.redo();
    check(session.game.tiles()[21 + 10 * session.game.columns] === 4, "and done again");
    play(session, 50, 2);
    const hash = session.game.hash,
        at = session.steps;
    session.put(0, core.makeThing(0), "e");
    play(session, 20, 2);
    session.rewindTo(at);
    check(session.game.hash !== hash, "edits at the very step stay");
    session.undo();
    play(session, 35, 2);
    programEndsWith(core.copyAsC(session, "edits"), "copied_edits", session);
    session.rewindTo(60);
    play(session, 35, 3);
    programEndsWith(core.copyAsC(session, "rewound"), "copied_rewound", session, true);
}

function testRollback(engine, scene) {
    const duel = new core.Duel(level => new core.Game(engine, level), scene.make(), 8);
    let compared = 0,
        equal = 0;
    for (let i = 0; i < 300; i++) {
        duel.step([someKeys(i, 4) & 31, someKeys(i, 5) & 31]);
        const result = i % 10 ? null : duel.compare();
        if (result) (compared++, (equal += result.equal));
    }
    check(compared > 20 && equal === compared, `rollback: ${equal} of ${compared} hashes are equal`);
    check(
        duel.machines.every(machine => machine.rollbacks > 10),
        "rollback: guesses were wrong and mended"
    );
    duel.destroy();
}

async function main() {
    const log = [];
    const engine = await core.Engine.load(fs.readFileSync(path.join(BUILD, "play2.wasm")), line => log.push(line));
    const sessions = {};
    for (const scene of core.SCENES.filter(scene => scene.make)) {
        sessions[scene.id] = testScene(engine, scene);
        await testShare(scene);
    }
    await testBadShares();
    testEdits(engine);
    for (const id of Object.keys(sessions))
        programEndsWith(core.copyAsC(sessions[id], id), "copied_" + id, sessions[id]);
    const duel = core.SCENES.find(scene => scene.duel);
    if (duel) testRollback(engine, duel);
    const engine3 = await core.Engine.load(fs.readFileSync(path.join(BUILD, "play3.wasm")), line => log.push(line));
    const session3 = new core.Session(() => new core.Game(engine3), null);
    play(session3, 150, 6);
    const hash3 = session3.game.hash;
    play(session3, 60, 6);
    check(session3.rewindTo(150) && session3.game.hash === hash3, "3D: rewinding gives the earlier hash");
    programEndsWith(core.copyAsC3(session3, "3D"), "copied_3d", session3, true);
    check(log.length === 0, "the library refused nothing: " + log.slice(0, 3).join(" / "));
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed ? 1 : 0);
}

main();
