// SPDX-License-Identifier: MIT OR Unlicense
//
// engine.js: the wasm module and its games. Memory may grow at any call, so views of it are never kept.

class Engine {
    static async load(bytes, onLog) {
        const engine = new Engine();
        engine.log = onLog || (() => {});
        const env = { log: text => engine.log(engine.text(text)) };
        engine.c = (await WebAssembly.instantiate(bytes, { env })).instance.exports;
        return engine;
    }

    text(at) {
        const bytes = new Uint8Array(this.c.memory.buffer);
        let end = at;
        while (bytes[end]) end++;
        return new TextDecoder().decode(bytes.slice(at, end));
    }

    // The first `count` floats of the buffer that lists come through.
    floats(count) {
        return new Float32Array(this.c.memory.buffer, this.c.play_buffer(), count);
    }
}

class Game {
    constructor(engine, level) {
        this.engine = engine;
        this.c = engine.c;
        if (level) this.build(level);
        else this.at = this.c.play_create(0, 0);
    }

    build(level) {
        engine_options(this.engine, level.options);
        this.at = this.c.play_create(level.columns, level.rows);
        if (!this.at) throw new Error("there is no memory for this level");
        this.columns = level.columns;
        this.rows = level.rows;
        level.tiles.forEach((value, i) => {
            if (value) this.tile(i % level.columns, Math.floor(i / level.columns), value);
        });
        level.things.forEach((thing, i) => this.put(i, thing));
    }

    destroy() {
        this.c.play_destroy(this.at);
        this.at = 0;
    }

    step(keys) {
        this.c.play_step(this.at, keys);
    }
    get steps() {
        return this.c.play_steps(this.at);
    }

    get hash() {
        const digits = value => (value >>> 0).toString(16).padStart(8, "0");
        return digits(this.c.play_hash_high(this.at)) + digits(this.c.play_hash_low(this.at));
    }

    list(name, ...more) {
        return this.engine.floats(this.c[name](this.at, ...more));
    }

    stats() {
        const [statics, movers, bodies, idle] = this.list("play_stats");
        return { statics, movers, bodies, idle };
    }

    save() {
        const size = this.c.play_saved_size(this.at),
            room = this.c.play_allocate(size);
        const used = this.c.play_save(this.at, room, size);
        const bytes = new Uint8Array(this.c.memory.buffer).slice(room, room + used);
        this.c.play_release(room, size);
        return bytes;
    }

    load(bytes) {
        const room = this.c.play_allocate(bytes.length);
        new Uint8Array(this.c.memory.buffer).set(bytes, room);
        const good = this.c.play_load(this.at, room, bytes.length);
        this.c.play_release(room, bytes.length);
        return !!good;
    }

    // ---- the level, as it is now

    put(index, t) {
        return !!this.c.play_put(this.at, index, t.type, t.x, t.y, t.w, t.h, t.angle, t.dx, t.dy, t.speed, t.tag);
    }

    tileAt(x, y) {
        return this.c.play_get_tile(this.at, x, y);
    }
    tile(x, y, value) {
        return !!this.c.play_tile(this.at, x, y, value);
    }
    option(index, value) {
        this.c.play_option(this.at, index, value);
    }
    get count() {
        return this.c.play_count(this.at);
    }

    thing(index) {
        const thing = {},
            list = this.list("play_get", index);
        MEMBERS.forEach((name, i) => {
            thing[name] = list[i];
        });
        return thing;
    }

    slot(index) {
        return this.c.play_slot(this.at, index);
    }
    tiles() {
        return Uint8Array.from(this.list("play_tiles"));
    }
    options() {
        return OPTIONS.map((_, i) => this.c.play_get_option(this.at, i));
    }

    level(name) {
        return {
            name,
            columns: this.columns,
            rows: this.rows,
            tiles: this.tiles(),
            options: this.options(),
            things: Array.from({ length: this.count }, (_, i) => this.thing(i))
        };
    }

    score() {
        const s = this.list("play_score");
        const hero = i => ({
            facing: s[5 + 4 * i],
            grounded: s[6 + 4 * i] > 0,
            up: { x: s[7 + 4 * i], y: s[8 + 4 * i] }
        });
        return { coins: s[0], falls: s[1], goals: s[2], reached: s[3], won: s[4] > 0, heroes: [hero(0), hero(1)] };
    }
}

function engine_options(engine, options) {
    engine.floats(options.length).set(options);
}
