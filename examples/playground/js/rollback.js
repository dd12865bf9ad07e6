// SPDX-License-Identifier: MIT OR Unlicense
//
// rollback.js: two machines and a network that delivers late. Each runs at once with what it knows and guesses that the
// other still holds what he held last; when the truth differs, it goes back to a snapshot and runs again.

class Machine {
    constructor(game, own, late) {
        Object.assign(this, { game, own, late, now: 0, rollbacks: 0, again: 0 });
        this.inputs = [[], []]; // of each player, known or guessed
        this.known = [0, 0];
        this.saved = new Map(); // state before a frame
        this.hashes = new Map(); // after a frame that is known for good
    }

    run(frame) {
        for (const player of [0, 1])
            if (frame >= this.known[player]) this.inputs[player][frame] = frame ? this.inputs[player][frame - 1] : 0;
        this.saved.set(frame, this.game.save());
        this.saved.delete(frame - this.late - 2);
        this.game.step(this.inputs[0][frame] | (this.inputs[1][frame] << 16));
    }

    // The truth about one frame.
    learn(player, frame, keys) {
        const wrong = frame < this.now && this.inputs[player][frame] !== keys;
        this.inputs[player][frame] = keys;
        this.known[player] = frame + 1;
        if (!wrong) return;
        this.rollbacks++;
        this.again += this.now - frame;
        this.game.load(this.saved.get(frame));
        for (let i = frame; i < this.now; i++) this.run(i);
    }

    advance(keys) {
        this.learn(this.own, this.now, keys);
        this.run(this.now++);
    }

    // Hash of the newest frame whose keys are all known, read from the snapshot that was taken after it.
    knownFrames() {
        return Math.min(this.known[0], this.known[1]);
    }
}

class Duel {
    constructor(makeGame, level, late) {
        this.late = late;
        this.machines = [0, 1].map(own => new Machine(makeGame(level), own, late));
        this.check = makeGame(level); // a third one, which only replays what both know
        this.checked = 0;
        this.sent = [[], []];
    }

    destroy() {
        this.machines.forEach(machine => machine.game.destroy());
        this.check.destroy();
    }

    // keys: what each player holds in this frame. Each machine hears of the other's `late` frames later.
    step(keys) {
        const frame = this.machines[0].now;
        keys.forEach((held, player) => {
            this.sent[player][frame] = held;
        });
        const heard = frame - this.late;
        this.machines.forEach((machine, own) => {
            if (heard >= 0) machine.learn(1 - own, heard, this.sent[1 - own][heard]);
            machine.advance(keys[own]);
        });
        if (heard >= 0) this.check.step(this.sent[0][heard] | (this.sent[1][heard] << 16));
        this.checked = Math.max(0, heard + 1);
    }

    // Hashes of both machines after the frames that both know: from their snapshots, loaded into the third game.
    compare() {
        if (this.checked < 1) return null;
        const truth = this.check.hash,
            own = this.check.save();
        const hashes = this.machines.map(machine => {
            const saved = machine.saved.get(this.checked);
            if (!saved) return machine.now === this.checked ? machine.game.hash : "";
            this.check.load(saved);
            return this.check.hash;
        });
        this.check.load(own);
        return { frame: this.checked, hashes, truth, equal: hashes.every(hash => hash === truth) };
    }
}
