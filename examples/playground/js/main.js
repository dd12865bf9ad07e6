// SPDX-License-Identifier: MIT OR Unlicense
//
// main.js: the page: scenes, time, buttons, and the loop that steps and draws.

const STEP = 1 / 60,
    MOST_STEPS_PER_FRAME = 5,
    LATE_FRAMES = 8;
const $ = id => document.getElementById(id);

function unpacked(base64) {
    return pumped(
        Uint8Array.from(atob(base64), c => c.charCodeAt(0)),
        new DecompressionStream("gzip")
    );
}

class App {
    constructor(engine, engine3) {
        Object.assign(this, {
            engine,
            engine3,
            paused: false,
            slow: false,
            speed: 1,
            editing: false,
            overlays: {},
            alpha: 1,
            time: 0,
            left: 0,
            frameCount: 0,
            stepTimes: [],
            frames: [],
            errors: []
        });
        this.theme = this.storedTheme();
        this.view = new View($("canvas"));
        this.view2 = new View($("canvas2"));
        this.view3 = new View3(this.view);
        this.scene = SCENES[0];
        this.session = new Session(level => new Game(engine, level), SCENES[0].make());
        this.editor = new Editor(this);
        this.panel = new Panel(this);
        this.input = new Input(event => this.command(event));
        setUpTouch(this.input);
        this.setUpButtons();
        this.setUpTools();
        this.setTheme(this.theme);
        if (innerWidth > 1100) document.body.classList.add("panel");
        addEventListener("resize", () => this.resized(false));
        addEventListener("hashchange", () => this.fromAddress());
        if (window.parent !== window) this.setUpCover();
        addEventListener("error", event => this.errors.push(String(event.message)));
    }

    storedTheme() {
        try {
            const stored = localStorage.getItem("theme");
            if (stored === "dark" || stored === "light") return stored;
        } catch (error) {
            /* storage may be forbidden */
        }
        return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
    }

    // ---- scenes

    async fromAddress() {
        const [name, value] = location.hash.slice(1).split("=");
        if (name === "level" && value) {
            if (value === this.sharedText) return; // it is what we just made
            const level = await textToLevel(value);
            if (level)
                return this.open({
                    id: "shared",
                    title: level.name || "Shared level",
                    hint: "A level that was shared with you.",
                    make: () => copyLevel(level),
                    wide: 26
                });
            this.toast("The address holds no level");
        }
        this.open(SCENES.find(scene => name === "scene" && scene.id === value) || SCENES[0]);
    }

    open(scene) {
        this.scene = scene;
        this.editor.forget();
        if (this.duel) this.duel.destroy();
        this.duel = null;
        if (scene.duel) {
            this.duelLevel = scene.make();
            this.duel = new Duel(level => new Game(this.engine, level), this.duelLevel, LATE_FRAMES);
        }
        if (this.session) this.session.game.destroy();
        this.session = scene.three
            ? new Session(() => new Game(this.engine3), null)
            : new Session(level => new Game(this.engine, level), scene.make());
        document.body.classList.toggle("duel", !!scene.duel);
        document.body.classList.toggle("three", !!scene.three);
        if (scene.duel || scene.three || scene.editing) this.setEditing(!!scene.editing);
        $("edit").disabled = !!(scene.duel || scene.three);
        $("share").disabled = !!scene.three;
        $("copy").disabled = !!scene.duel;
        $("rewind").disabled = !!scene.duel;
        const select = $("scenes");
        const known = SCENES.some(one => one.id === scene.id);
        if (!known && !select.querySelector("option[value=shared]")) select.add(new Option(scene.title, "shared"), 0);
        select.value = scene.id;
        this.overlays = scene.three ? { shapes: true } : {};
        this.restarted();
        this.resized(false);
        this.panel.build();
        this.hint(scene.hint);
    }

    restarted() {
        this.things = null;
        this.left = 0;
        this.stepTimes = [];
        this.lastScore = null;
        this.view.particles = [];
        this.panel.events = [];
        $("banner").classList.remove("on");
    }

    restart() {
        if (this.duel) return this.open(this.scene);
        const level = this.scene.three ? null : this.session.game.level(this.session.level.name);
        if (level) while (level.things.length && !level.things[level.things.length - 1].type) level.things.pop();
        this.session.restart(level);
        this.editor.forget();
        this.restarted();
        this.panel.build();
    }

    get viewKind() {
        if (this.scene.three) return "3d";
        return this.session.game.options()[OPTION.view] === TOP_VIEW ? "top" : "side";
    }

    heroes() {
        const { game } = this.session;
        let count = 0;
        for (let i = 0; i < game.count; i++) count += game.thing(i).type === T.hero;
        return count;
    }

    // keep: the camera stays where it is.
    resized(keep) {
        this.view.resize();
        if (this.duel) this.view2.resize();
        if (this.scene.three || keep) return;
        const level = this.duel ? this.duelLevel : this.session.game;
        const wide =
            innerWidth < 760 && !this.duel ? Math.min(this.scene.wide || level.columns, 16) : this.scene.wide;
        this.view.frame(level, wide);
        if (this.duel) this.view2.frame(level, wide);
    }

    // ---- commands

    command(event) {
        const name = event.command,
            code = event.code,
            ctrl = event.ctrlKey || event.metaKey;
        if (name === "pause" || (code === "KeyP" && !ctrl)) this.setPaused(!this.paused);
        else if (name === "restart" || (code === "KeyR" && event.shiftKey && !ctrl)) this.restart();
        else if (code === "KeyN" && !ctrl) this.single();
        else if (code === "KeyM" && !ctrl) this.setSlow(!this.slow);
        else if (code === "KeyE" && !ctrl) this.setEditing(!this.editing);
        else if (code === "KeyI" && !ctrl) this.togglePanel();
        else if (ctrl && code === "KeyZ" && !event.shiftKey) this.undo();
        else if (ctrl && (code === "KeyY" || (code === "KeyZ" && event.shiftKey))) this.redo();
        else if (code === "Delete" || code === "Backspace") this.editing && this.editor.remove();
        else if (code === "Escape") (this.setTool("select"), this.editor.forget(), this.panel.build());
        else return false;
        return true;
    }

    undo() {
        if (this.session.undo()) this.panel.stale = true;
    }
    redo() {
        if (this.session.redo()) this.panel.stale = true;
    }

    setPaused(paused) {
        this.paused = paused;
        $("pause").innerHTML = paused ? ICONS.play : ICONS.pause;
        $("pause").classList.toggle("on", paused);
    }

    setSlow(slow) {
        this.slow = slow;
        $("slow").classList.toggle("on", slow);
    }

    single() {
        this.setPaused(true);
        this.step();
        this.alpha = 1;
    }

    setEditing(editing) {
        this.editing = editing && !this.duel && !this.scene.three;
        document.body.classList.toggle("editing", this.editing);
        $("edit").classList.toggle("on", this.editing);
        if (!this.editing) this.setTool("select");
        this.resized(true);
    }

    setTool(tool) {
        this.editor.tool = tool;
        document
            .querySelectorAll("#tools button")
            .forEach(button => button.classList.toggle("on", button.dataset.tool === tool));
    }

    setTheme(theme) {
        this.theme = theme;
        document.documentElement.classList.toggle("light", theme === "light");
        try {
            localStorage.setItem("theme", theme);
        } catch (error) {
            /* storage may be forbidden */
        }
    }

    togglePanel() {
        document.body.classList.toggle("panel");
        this.panel.build();
        this.resized(true);
    }

    toast(text) {
        $("toast").textContent = text;
        $("toast").classList.add("on");
        clearTimeout(this.toastTimer);
        this.toastTimer = setTimeout(() => $("toast").classList.remove("on"), 2600);
    }

    hint(text) {
        const touch = document.body.classList.contains("touch");
        $("hint").innerHTML = escaped(text) + (touch || this.scene.id === "shared" ? "" : this.keysHint());
        $("hint").style.opacity = 1;
        clearTimeout(this.hintTimer);
        this.hintTimer = setTimeout(() => {
            $("hint").style.opacity = 0;
        }, 14000);
    }

    keysHint() {
        if (this.scene.duel) return " <kbd>← → ↑</kbd> <kbd>A D W</kbd>";
        const walk =
            this.viewKind === "side"
                ? "<kbd>← →</kbd> <kbd>Space</kbd>"
                : "<kbd>← ↑ ↓ →</kbd>" + (this.scene.three ? " <kbd>Space</kbd>" : "");
        return ` ${walk} <kbd>R</kbd> runs backwards`;
    }

    async copyText(text) {
        try {
            await navigator.clipboard.writeText(text);
            return true;
        } catch (error) {
            const area = document.createElement("textarea");
            area.value = text;
            document.body.append(area);
            area.select();
            const done = document.execCommand("copy");
            area.remove();
            return done;
        }
    }

    // The level as it is now, into the address.
    async share() {
        const level = this.duel
            ? this.duelLevel
            : this.session.game.level(this.session.level.name || this.scene.title);
        this.sharedText = await levelToText(level);
        location.hash = "level=" + this.sharedText;
        const done = await this.copyText(location.href);
        this.toast(
            done
                ? `Address copied: the level is in it, ${this.sharedText.length} letters`
                : "The level is in the address now"
        );
    }

    program() {
        return this.scene.three
            ? copyAsC3(this.session, this.scene.title)
            : copyAsC(this.session, this.session.level.name || this.scene.title);
    }

    showProgram() {
        this.setPaused(true);
        const source = this.program(),
            area = document.querySelector("#program textarea");
        area.value = source;
        $("program-says").innerHTML =
            `${source.split("\n").length} lines, ${this.session.steps} steps. Compile it beside kinematic.h: ` +
            `it ends with <b>hash ${this.session.game.hash}</b>, as this page shows.`;
        $("program").showModal();
    }

    // ---- buttons

    setUpButtons() {
        for (const id of ["restart", "rewind", "pause", "single", "slow", "edit", "share", "theme", "more"])
            $(id).innerHTML = ICONS[id];
        $("touch-rewind").innerHTML = ICONS.rewind;
        $("edit").innerHTML += '<span class="wide">Edit</span>';
        $("share").innerHTML += '<span class="wide">Share</span>';
        $("copy").innerHTML = 'C<span class="wide">&nbsp;Copy as C</span>';
        $("restart").onclick = () => this.restart();
        $("pause").onclick = () => this.setPaused(!this.paused);
        $("single").onclick = () => this.single();
        $("slow").onclick = () => this.setSlow(!this.slow);
        $("edit").onclick = () => this.setEditing(!this.editing);
        $("share").onclick = () => this.share();
        $("copy").onclick = () => this.showProgram();
        $("theme").onclick = () => this.setTheme(this.theme === "dark" ? "light" : "dark");
        $("more").onclick = () => this.togglePanel();
        $("program-close").onclick = () => $("program").close();
        $("program-copy").onclick = async () => {
            const done = await this.copyText(document.querySelector("#program textarea").value);
            if (done) ($("program").close(), this.toast("The program is copied"));
        };
        $("program-save").onclick = () => {
            const link = document.createElement("a");
            link.href = URL.createObjectURL(
                new Blob([document.querySelector("#program textarea").value], { type: "text/x-c" })
            );
            link.download = "level.c";
            link.click();
            URL.revokeObjectURL(link.href);
        };
        const select = $("scenes");
        SCENES.forEach(scene => select.add(new Option(scene.title, scene.id)));
        select.onchange = () => {
            if (select.value !== "shared") location.hash = "scene=" + select.value;
            select.blur();
        };
        document
            .querySelectorAll("header button")
            .forEach(button => button.addEventListener("click", () => button.blur()));
    }

    setUpTools() {
        const add = tool => {
            const button = document.createElement("button");
            button.innerHTML = TOOL_ICONS[tool];
            button.dataset.tool = tool;
            button.title = KINDS[tool]
                ? KINDS[tool].label
                : tool[0].toUpperCase() + tool.slice(1) + (tool in TILE_TOOLS ? " (tiles)" : "");
            button.onclick = () => {
                this.setTool(tool);
                button.blur();
            };
            $("tools").append(button);
        };
        add("select");
        Object.keys(TILE_TOOLS).forEach(add);
        THING_TOOLS.forEach(add);
        const undo = document.createElement("button");
        undo.innerHTML = ICONS.restart;
        undo.title = "Undo (Ctrl+Z)";
        undo.id = "undo";
        undo.onclick = () => {
            this.undo();
            undo.blur();
        };
        $("tools").append(undo);
        this.setTool("select");
    }

    // Within another page, keys and wheel belong to that page until somebody clicks here; what nobody sees rests.
    setUpCover() {
        const cover = $("cover");
        const show = shown => {
            cover.hidden = !shown;
            document.body.classList.toggle("covered", shown);
            if (!shown) this.hint(this.scene.hint);
        };
        document.documentElement.classList.add("embedded");
        document.body.classList.remove("panel");
        cover.onclick = () => show(false);
        addEventListener("focus", () => show(false));
        addEventListener("blur", () => show(true));
        new IntersectionObserver(entries => (this.unseen = !entries[0].isIntersecting)).observe($("canvas"));
        show(true);
    }

    // ---- time

    step() {
        const before = performance.now();
        if (this.duel) this.duel.step(this.duelKeys());
        else this.session.step(this.input.keys(this.viewKind));
        this.stepTimes.push(this.duel ? performance.now() - before : this.session.stepTime);
        if (this.stepTimes.length > 60) this.stepTimes.shift();
        this.time += STEP;
        if (!this.duel) this.hear();
    }

    // Arrows and letters; a player who does nothing for two seconds is played by the machine.
    duelKeys() {
        const frame = this.duel.machines[0].now,
            jump = bits => (bits & UP ? bits | JUMP : bits);
        const own = [
            jump(
                this.input.bits(KEYS_ARROWS) |
                    this.input.pad |
                    this.input.gamepad() |
                    (this.input.touchJump ? JUMP : 0)
            ),
            jump(this.input.bits(KEYS_LETTERS))
        ];
        this.lastKeys = this.lastKeys || [-1000, -1000];
        return own.map((bits, player) => {
            if (bits) this.lastKeys[player] = frame;
            if (frame - this.lastKeys[player] < 120 && frame >= this.lastKeys[player]) return bits & 31;
            const r = Math.imul(Math.floor(frame / 19) * 2 + player + 3, 2654435761) >>> 0;
            return (r >>> 13) & (LEFT | RIGHT | JUMP);
        });
    }

    // Events: for the panel, and as sparks.
    hear() {
        const { game } = this.session,
            list = game.list("play_events").slice();
        this.panel.hear(this.session.steps, list);
        if (this.scene.three) return;
        for (let i = 0; i < list.length && i < 200; i += 5) {
            if (list[i] !== 3 && list[i] !== 5) continue;
            const state = game.list("play_inspect", list[i + 1]);
            if (!state.length) continue;
            const x = state[2],
                y = state[3],
                half = list[i] === 3 ? 0.7 : 0;
            if (list[i] === 3 && list[i + 3] > 5) this.view.burst(x, y - half, "#a0a0a0b0", 6, 2.5);
            if (list[i] === 5) this.view.burst(x, y, COLOURS.contact, 24, 7);
        }
    }

    rewind() {
        if (this.duel) return;
        const steps = Math.max(1, Math.round(this.slow ? 0.5 : 1));
        if (this.session.rewindTo(this.session.steps - steps)) this.time -= STEP * steps;
        this.panel.events = this.panel.events.filter(event => event.step <= this.session.steps);
        this.alpha = 1;
        this.left = 0;
    }

    advance(seconds) {
        this.rewinding = this.input.wantsRewind && !this.duel;
        $("rewind").classList.toggle("on", this.rewinding);
        if (this.rewinding) return this.rewind();
        if (this.paused) return;
        this.left += Math.min(seconds, 0.1) * this.speed * (this.slow ? 0.2 : 1);
        let steps = 0;
        while (this.left >= STEP && steps < MOST_STEPS_PER_FRAME) {
            this.step();
            this.left -= STEP;
            steps++;
            if (performance.now() - this.frameStart > 30) this.left = Math.min(this.left, STEP); // too slow: drop time
        }
        if (this.left >= STEP) this.left %= STEP;
        this.alpha = this.left / STEP;
    }

    // ---- drawing

    look() {
        const kind = this.scene.three ? "3d" : this.viewKind;
        return {
            theme: this.theme,
            alpha: this.alpha,
            time: this.time,
            overlays: this.overlays,
            editing: this.editing,
            selected: this.editor.slot,
            top: kind === "top",
            planets: !this.scene.three && this.session.game.options()[OPTION.view] === PLANETS
        };
    }

    currentThings() {
        if (this.things && this.thingsVersion === this.session.version && this.thingsOf === this.session.game)
            return this.things;
        this.thingsVersion = this.session.version;
        this.thingsOf = this.session.game;
        return (this.things = Array.from({ length: this.session.game.count }, (_, i) => this.session.game.thing(i)));
    }

    heroAt(game, things, player) {
        const index = things.findIndex(thing => thing.type === T.hero && (thing.tag > 0 ? 1 : 0) === player);
        const list = game.list("play_draw", this.alpha);
        for (let i = 0; i < list.length; i += 6) if (list[i] === index) return { x: list[i + 1], y: list[i + 2] };
        return null;
    }

    draw(seconds) {
        const look = this.look();
        if (this.scene.three) return this.view3.render(this.session.game, look);
        this.view.advanceParticles(this.paused ? 0 : seconds);
        if (this.duel) {
            const things = this.currentThings();
            [this.view, this.view2].forEach((view, i) => {
                view.followHero(this.heroAt(this.duel.machines[i].game, things, i), this.duelLevel, seconds);
                view.render(this.duel.machines[i].game, things, 0, look);
            });
            return;
        }
        const { game } = this.session,
            things = this.currentThings();
        if (this.input.keys(this.viewKind)) this.view.camera.follow = true;
        if (!this.editor.drag) this.view.followHero(this.heroAt(game, things, 0), game, seconds);
        this.view.render(game, things, this.session.version, look);
        this.editor.draw(this.view);
    }

    showScore() {
        if (this.duel || this.scene.three) {
            if (this.scoreHtml) $("score").innerHTML = this.scoreHtml = "";
            return;
        }
        const score = this.session.game.score(),
            had = this.lastScore,
            total = this.currentThings().filter(t => t.type === T.coin).length;
        const parts = [];
        if (total) parts.push(`<span><i class="coin"></i>${score.coins}/${total}</span>`);
        if (score.goals) parts.push(`<span>◎ ${score.reached}/${score.goals}</span>`);
        if (this.rewinding) parts.push(`<span>◀◀ ${(this.session.steps / 60).toFixed(1)} s</span>`);
        else if (this.paused) parts.push("<span>paused</span>");
        else if (this.slow) parts.push("<span>slow motion</span>");
        const html = parts.join("");
        if (this.scoreHtml !== html) $("score").innerHTML = this.scoreHtml = html;
        if (had && score.coins > had.coins) this.sparkle();
        if (had && score.won && !had.won) {
            $("banner").textContent = score.goals ? "Solved!" : "You made it!";
            $("banner").classList.add("on");
            setTimeout(() => $("banner").classList.remove("on"), 2600);
        }
        this.lastScore = score;
    }

    sparkle() {
        const at = this.heroAt(this.session.game, this.currentThings(), 0);
        if (at) this.view.burst(at.x, at.y + 0.3, COLOURS.sensor, 12, 5);
    }

    showStatus() {
        const game = this.duel ? this.duel.machines[0].game : this.session.game;
        const mean = list => list.reduce((sum, value) => sum + value, 0) / (list.length || 1);
        const stats = game.stats(),
            micros = 1000 * mean(this.stepTimes),
            rate = this.stepTimes.length ? 1e6 / micros : 0;
        const fps =
            this.frames.length > 1
                ? ((this.frames.length - 1) * 1000) / (this.frames[this.frames.length - 1] - this.frames[0])
                : 0;
        const item = (label, value, rare) => `<span${rare ? ' class="rare"' : ""}>${label} <b>${value}</b></span>`;
        $("status").innerHTML =
            item("step", game.steps) +
            item("µs/step", micros < 100 ? micros.toFixed(1) : micros.toFixed(0)) +
            item("steps/s", rate > 1e4 ? (rate / 1000).toFixed(0) + "k" : rate.toFixed(0), true) +
            item("bodies", stats.bodies) +
            item("idle", stats.idle) +
            item("fps", fps.toFixed(0), true) +
            `<span class="hash"><span class="rare">hash </span><code><b id="hash">${game.hash}</b></code></span>`;
        if (this.duel) this.showDuel();
    }

    showDuel() {
        const result = this.duel.compare();
        if (!result) return;
        this.duelResult = result;
        const [a, b] = this.duel.machines;
        $("duel").innerHTML =
            `${LATE_FRAMES} frames late; frame ${result.frame}: <code>${result.hashes[0]}</code> ` +
            `<b class="${result.equal ? "good" : "bad"}">${result.equal ? "=" : "≠"}</b> ` +
            `<code>${result.hashes[1]}</code><br>` +
            `${a.rollbacks} and ${b.rollbacks} rollbacks, ${a.again + b.again} frames run again`;
    }

    frame(now) {
        this.frameStart = performance.now();
        this.frameCount++;
        const seconds = Math.max(0, (now - (this.last || now)) / 1000);
        this.last = now;
        this.frames.push(now);
        if (this.frames.length > 60) this.frames.shift();
        if (this.unseen) return requestAnimationFrame(later => this.frame(later));
        this.advance(seconds);
        this.draw(seconds);
        this.showScore();
        if (now - (this.lastStatus || 0) > 150) {
            this.lastStatus = now;
            this.showStatus();
            this.panel.update();
        }
        this.drawTime = performance.now() - this.frameStart;
        requestAnimationFrame(later => this.frame(later));
    }
}

async function start() {
    const log = line => console.warn(line);
    const [engine, engine3] = await Promise.all(
        [WASM2, WASM3].map(async wasm => Engine.load(await unpacked(wasm), log))
    );
    const app = new App(engine, engine3);
    window.playground = app; // for the console, and for tests
    await app.fromAddress();
    app.ready = true;
    requestAnimationFrame(now => app.frame(now));
}

start().catch(error => {
    $("hint").textContent = "This browser cannot run the playground: " + error.message;
    console.error(error);
});
