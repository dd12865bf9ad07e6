// SPDX-License-Identifier: MIT OR Unlicense
//
// panel.js: the panel beside the game: the thing that was clicked, the hero's options, overlays, keys.

const EVENT_NAMES = ["BEGAN", "CONTINUED", "ENDED", "LANDED", "LEFT", "CRUSHED", "EMBEDDED", "FREED", "BLOCKED"];
const KIND_NAMES = ["KIN_NOTHING", "KIN_STATIC", "KIN_MOVER", "KIN_BODY"];
const FOOTINGS = ["KIN_AIR", "KIN_STABLE", "KIN_STEEP"];
const MOST_EVENTS_KEPT = 200;

const escaped = text =>
    String(text).replace(/[&<>"]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const number = value => (Math.abs(value) < 0.0005 ? 0 : value).toFixed(3).replace(/\.?0+$/, "");

class Panel {
    constructor(app) {
        this.app = app;
        this.tab = "hero";
        this.events = [];
        this.body = document.getElementById("body");
        this.tabs = { thing: "Inspect", hero: "Hero", view: "View", keys: "Keys" };
        const nav = document.getElementById("tabs");
        for (const [id, label] of Object.entries(this.tabs)) {
            const button = document.createElement("button");
            button.textContent = label;
            button.dataset.tab = id;
            button.onclick = () => this.show(id, true);
            nav.append(button);
        }
        this.build();
    }

    show(tab, open) {
        const changed = this.tab !== tab;
        this.tab = tab;
        if (open && !document.body.classList.contains("panel")) {
            document.body.classList.add("panel");
            this.app.resized(true);
        }
        if (changed || tab === "thing") this.build();
    }

    hear(step, list) {
        for (let i = 0; i < list.length; i += 5) {
            this.events.push({
                step,
                type: list[i],
                a: list[i + 1],
                b: list[i + 2],
                speed: list[i + 3],
                part: list[i + 4]
            });
            if (this.events.length > MOST_EVENTS_KEPT) this.events.shift();
        }
    }

    // Something's name, by its slot.
    name(slot) {
        const { game } = this.app.session;
        if (!slot) return "nobody";
        if (this.app.scene.three) return "#" + slot;
        const index = game.c.play_place_of(game.at, slot);
        return index >= 0 && index < game.count ? `${TYPES[game.thing(index).type]} #${slot}` : `tiles #${slot}`;
    }

    build() {
        this.stale = false;
        document.querySelectorAll("#tabs button").forEach(b => b.classList.toggle("on", b.dataset.tab === this.tab));
        this.body.replaceChildren();
        this.live = null;
        this["build_" + this.tab]();
    }

    heading(text) {
        const h3 = document.createElement("h3");
        h3.textContent = text;
        this.body.append(h3);
    }

    text(html) {
        const p = document.createElement("p");
        p.innerHTML = html;
        this.body.append(p);
    }

    slider(label, value, min, max, step, hint, change) {
        const box = document.createElement("label"),
            out = document.createElement("output"),
            input = document.createElement("input");
        Object.assign(input, { type: "range", min, max, step });
        input.value = value;
        box.append(label, out, input);
        box.title = hint || "";
        out.textContent = number(+input.value);
        input.dataset.name = label;
        let stroke = 0;
        input.onpointerdown = () => {
            stroke = ++this.app.editor.stroke;
        };
        input.onchange = () => input.blur();
        input.oninput = () => {
            out.textContent = number(+input.value);
            change(+input.value, "s" + (stroke || label));
        };
        this.body.append(box);
    }

    choice(label, value, choices, change) {
        const box = document.createElement("label"),
            select = document.createElement("select");
        choices.forEach((name, i) => select.add(new Option(name, i, false, i === value)));
        select.onchange = () => {
            change(+select.value);
            select.blur();
        };
        box.append(label, document.createElement("output"), select);
        this.body.append(box);
    }

    buttons(list) {
        const row = document.createElement("div");
        row.className = "row";
        for (const [label, action, id] of list) {
            const button = document.createElement("button");
            button.textContent = label;
            if (id) button.id = id;
            button.onclick = action;
            row.append(button);
        }
        this.body.append(row);
    }

    // ---- tabs

    build_thing() {
        const { editor, session } = this.app,
            thing = this.app.scene.three ? null : editor.thing();
        if (!editor.slot && !thing) {
            this.text("Click anything in the level to see its state, its ground, its contacts and its events.");
            this.text("With <b>Edit</b> on, drag it, pull its white handles, turn it by the orange one.");
        }
        if (thing) {
            this.heading(KINDS[TYPES[thing.type]].label);
            const kind = KINDS[TYPES[thing.type]];
            for (const [member, label, min, max, step] of kind.fields)
                this.slider(label, thing[member], min, max, step, "", (value, stroke) => {
                    const now = editor.thing();
                    if (!now) return;
                    session.put(editor.selected, { ...now, [member]: value }, stroke + member);
                    editor.slot = session.game.slot(editor.selected);
                });
            this.buttons([
                ["Copy", () => this.duplicate()],
                ["Delete", () => editor.remove(), "delete"]
            ]);
        }
        this.live = document.createElement("div");
        this.body.append(this.live);
        this.update();
    }

    duplicate() {
        const { editor, session } = this.app,
            thing = editor.thing(),
            index = session.freeIndex();
        if (!thing || index < 0 || thing.type === T.hero) return;
        session.put(index, { ...thing, x: thing.x + 1, y: thing.y + 1 }, "s" + ++editor.stroke);
        editor.select(index);
    }

    build_hero() {
        const { session, scene } = this.app;
        if (scene.three || this.app.duel) return this.text("The options of this scene are fixed in its code.");
        const options = session.game.options();
        const part = (title, wanted) => {
            this.heading(title);
            OPTIONS.forEach((option, i) => {
                if (option.hidden || !wanted(option)) return;
                const set = (value, stroke) =>
                    session.setOption(i, value, (stroke || "s" + ++this.app.editor.stroke) + i);
                if (option.choices) this.choice(option.name, options[i], option.choices, set);
                else this.slider(option.name, options[i], option.min, option.max, option.step, option.hint, set);
            });
        };
        part("World and game", option => !option.name.startsWith("."));
        part("Hero: kin_body_desc", option => option.name.startsWith("."));
        this.buttons([
            [
                "Defaults",
                () => {
                    const stroke = "s" + ++this.app.editor.stroke;
                    OPTIONS.forEach((option, i) => {
                        if (!option.hidden) session.setOption(i, option.value, stroke);
                    });
                    this.build();
                }
            ]
        ]);
    }

    build_view() {
        this.heading("Overlays of kin_debug_draw");
        for (const overlay of OVERLAYS) {
            const box = document.createElement("label"),
                input = document.createElement("input"),
                dot = document.createElement("i");
            box.className = "check";
            input.type = "checkbox";
            input.dataset.overlay = overlay.id;
            input.checked = !!this.app.overlays[overlay.id];
            input.onchange = () => {
                this.app.overlays[overlay.id] = input.checked;
                input.blur();
            };
            dot.style.background = overlay.colour;
            const span = document.createElement("span");
            span.append(dot, overlay.label);
            box.append(input, span);
            this.body.append(box);
        }
        this.buttons([["Dark or light", () => this.app.setTheme(this.app.theme === "dark" ? "light" : "dark")]]);
        this.heading("Time");
        this.slider("speed", this.app.speed, 0.05, 2, 0.05, "1 is real time", value => {
            this.app.speed = value;
        });
        this.heading("World");
        this.live = document.createElement("div");
        this.body.append(this.live);
        this.update();
    }

    build_keys() {
        this.body.innerHTML = `<h3>Play</h3><div class="keys"><kbd>← →</kbd>run, or A D <kbd>Space</kbd>jump, ↑ W
            <kbd>↓</kbd>drop through ledges <kbd>Q X</kbd>turn the view in 3D</div>
            <h3>Time</h3><div class="keys"><kbd>R</kbd>hold: run backwards <kbd>P</kbd>pause <kbd>N</kbd>one step
            <kbd>M</kbd>slow motion <kbd>Shift R</kbd>restart</div>
            <h3>Edit</h3><div class="keys"><kbd>E</kbd>edit on and off <kbd>Del</kbd>delete <kbd>Ctrl Z</kbd>undo
            <kbd>Ctrl Y</kbd>redo <kbd>Esc</kbd>select tool <kbd>Shift</kbd>drag without the grid</div>
            <h3>View</h3><div class="keys"><kbd>wheel</kbd>zoom <kbd>right drag</kbd>move the view
            <kbd>I</kbd>this panel</div>
            <h3>Gamepad</h3><div class="keys"><kbd>stick</kbd>run <kbd>A</kbd>jump <kbd>LB</kbd>run backwards
            <kbd>Start</kbd>pause</div>
            <h3>This page</h3><p>Levels are in the address when you share them; nothing is sent anywhere. The
            physics is one C header, compiled to wasm: the same bits here as in your game.</p>`;
    }

    // ---- what changes with every step

    update() {
        if (this.stale) return this.build();
        if (!this.live || !document.body.classList.contains("panel")) return;
        this.live.innerHTML = this.tab === "thing" ? this.state() : this.world();
    }

    world() {
        const { session } = this.app,
            stats = session.game.stats(),
            bytes = session.saved.reduce((sum, saved) => sum + saved.bytes.length, 0);
        const rows = [
            ["statics", stats.statics],
            ["movers", stats.movers],
            ["bodies", stats.bodies],
            ["idle", stats.idle],
            ["snapshots", `${session.saved.length}, ${(bytes / 1e6).toFixed(1)} MB`],
            ["rewind", `${((session.steps - session.earliest) / 60).toFixed(1)} s back`],
            ["recorded", `${session.steps} steps, ${session.edits.length} edits`]
        ];
        return `<table>${rows.map(([a, b]) => `<tr><td>${a}</td><td>${b}</td></tr>`).join("")}</table>`;
    }

    state() {
        const { editor, session, scene } = this.app,
            dim = scene.three ? 3 : 2;
        const f = editor.slot ? [...session.game.list("play_inspect", editor.slot)] : [];
        if (!f.length) return editor.slot ? "<p>It is gone.</p>" : "";
        let at = 0;
        const one = () => f[at++],
            vec = () => Array.from({ length: dim }, one).map(number).join(", ");
        const kind = one();
        one();
        const rows = [
            ["handle", `#${editor.slot}, ${KIND_NAMES[kind]}`],
            ["position", vec()],
            ["velocity", vec()],
            ["motion", vec()],
            ["leftover", vec()]
        ];
        const footing = one(),
            ground = one(),
            normal = vec();
        one();
        const flags = ["on wall", "on ceiling", "crushed", "embedded", "blocked"].filter(() => one());
        const riders = one();
        if (kind === 3)
            rows.push(
                ["ground", FOOTINGS[footing] + (ground ? `, ${escaped(this.name(ground))}` : "")],
                ["normal", normal]
            );
        rows.push(["flags", flags.join(", ") || "none"], ["riders", riders]);
        const shown =
            kind === 1
                ? rows.filter(([name]) => !["velocity", "motion", "leftover"].includes(name))
                : kind === 2
                  ? rows.filter(([name]) => name !== "leftover")
                  : rows;
        const table = shown.map(([a, b]) => `<tr><td>${a}</td><td>${b}</td></tr>`).join("");
        let html = `<h3>State</h3><table>${table}</table><h3>Contacts</h3>`;
        let contacts = "";
        while (at < f.length) {
            const other = this.name(one()),
                n = vec();
            vec();
            const gap = one(),
                part = one();
            const cell = part >= 0 ? ` [${part}]` : "";
            contacts += `<tr><td>${escaped(other)}${cell}</td><td>n ${n}, gap ${number(gap)}</td></tr>`;
        }
        html += contacts ? `<table>${contacts}</table>` : "<p>none</p>";
        const events = this.events
            .filter(event => event.a === editor.slot || event.b === editor.slot)
            .slice(-12)
            .reverse();
        html += `<h3>Events</h3><div class="events">${
            events
                .map(
                    event =>
                        `${event.step} <b>${EVENT_NAMES[event.type]}</b> ` +
                        escaped(this.name(event.a === editor.slot ? event.b : event.a)) +
                        (event.speed ? `, ${number(event.speed)}/s` : "")
                )
                .join("<br>") || "none yet"
        }</div>`;
        return html;
    }
}
