// SPDX-License-Identifier: MIT OR Unlicense
//
// session.js: one play of a level. Keys of every step and all edits are recorded, so that the play can be run again:
// backwards from snapshots, or by a C program. Snapshots have a budget of bytes; with large worlds they are further
// apart and reach less far back.

const REWIND_SECONDS = 20,
    REWIND_BYTES = 64e6,
    MOST_APART = 8;

class Session {
    constructor(makeGame, level) {
        this.makeGame = makeGame;
        this.restart(level);
    }

    restart(level) {
        if (this.game) this.game.destroy();
        this.level = level;
        this.game = this.makeGame(level);
        this.inputs = [];
        this.edits = []; // { step, op, ... }: done after that many steps
        this.saved = []; // { step, bytes }, oldest first
        this.undos = [];
        this.redos = [];
        this.apart = 1;
        this.version = (this.version || 0) + 1; // of tiles and things: when to draw them anew
    }

    get steps() {
        return this.inputs.length;
    }

    step(keys) {
        if (this.steps % this.apart === 0) this.remember();
        this.inputs.push(keys);
        const before = performance.now();
        this.game.step(keys);
        this.stepTime = performance.now() - before; // milliseconds
    }

    // ---- rewinding

    remember() {
        const last = this.saved[this.saved.length - 1];
        if (last && last.step >= this.steps) return;
        const bytes = this.game.save();
        this.saved.push({ step: this.steps, bytes });
        this.apart = Math.max(
            1,
            Math.min(MOST_APART, Math.ceil((REWIND_SECONDS * 60 * bytes.length) / REWIND_BYTES))
        );
        let total = 0;
        for (const saved of this.saved) total += saved.bytes.length;
        while (
            this.saved.length > 1 &&
            (total > REWIND_BYTES || this.saved[1].step <= this.steps - REWIND_SECONDS * 60)
        )
            total -= this.saved.shift().bytes.length;
    }

    get earliest() {
        return this.saved.length ? this.saved[0].step : this.steps;
    }

    // Back to the state after that many steps, as far as snapshots reach; what came later is forgotten.
    rewindTo(step) {
        step = Math.max(step, this.earliest);
        if (step >= this.steps) return false;
        while (this.saved[this.saved.length - 1].step > step) this.saved.pop();
        const from = this.saved[this.saved.length - 1];
        this.game.load(from.bytes);
        for (let i = from.step; i < step; i++) {
            this.game.step(this.inputs[i]);
            this.edits.filter(edit => edit.step === i + 1).forEach(edit => this.apply(edit));
        }
        if (this.edits.length || this.undos.length) this.version++;
        this.inputs.length = step;
        this.edits = this.edits.filter(edit => edit.step <= step);
        this.undos = this.undos.filter(undo => undo.step <= step);
        this.redos = [];
        return true;
    }

    // ---- edits

    apply(edit) {
        if (edit.op === "put") this.game.put(edit.index, edit.thing);
        if (edit.op === "tile") this.game.tile(edit.x, edit.y, edit.value);
        if (edit.op === "option") this.game.option(edit.index, edit.value);
    }

    // The edit that undoes another: of the same kind, with the present values.
    inverse(edit) {
        if (edit.op === "put")
            return { ...edit, thing: edit.index < this.game.count ? this.game.thing(edit.index) : makeThing(0) };
        if (edit.op === "tile") return { ...edit, value: this.game.tileAt(edit.x, edit.y) };
        return { ...edit, value: this.game.options()[edit.index] };
    }

    same(a, b) {
        return a.op === b.op && a.index === b.index && a.x === b.x && a.y === b.y;
    }

    // Edits with the same stroke (one drag of the mouse) are undone together.
    edit(edit, stroke) {
        const top = this.undos[this.undos.length - 1];
        const goOn = top && stroke && top.stroke === stroke;
        const entry = goOn ? top : { stroke, step: this.steps, back: [] };
        if (!entry.back.some(old => this.same(old, edit))) entry.back.unshift(this.inverse(edit));
        if (!goOn) this.undos.push(entry);
        this.redos = [];
        this.record(edit);
    }

    record(edit) {
        const done = { ...edit, step: this.steps };
        if (edit.thing) done.thing = makeThing(edit.thing.type, edit.thing);
        this.edits.push(done);
        this.apply(done);
        this.version++;
    }

    swap(from, to) {
        const entry = from.pop();
        if (!entry) return false;
        const forth = { stroke: null, step: this.steps, back: entry.back.map(edit => this.inverse(edit)).reverse() };
        entry.back.forEach(edit => this.record(edit));
        to.push(forth);
        return true;
    }

    undo() {
        return this.swap(this.undos, this.redos);
    }
    redo() {
        return this.swap(this.redos, this.undos);
    }

    // The first free place, or one more.
    freeIndex() {
        for (let i = 0; i < this.game.count; i++) if (this.game.thing(i).type === 0) return i;
        return this.game.count < MOST_THINGS ? this.game.count : -1;
    }

    put(index, thing, stroke) {
        this.edit({ op: "put", index, thing }, stroke);
    }

    setTile(x, y, value, stroke) {
        if (x < 0 || y < 0 || x >= this.game.columns || y >= this.game.rows) return;
        if (this.game.tileAt(x, y) === value) return;
        this.edit({ op: "tile", x, y, value }, stroke);
    }

    setOption(index, value, stroke) {
        this.edit({ op: "option", index, value: Math.fround(value) }, stroke);
    }
}
