// SPDX-License-Identifier: MIT OR Unlicense
//
// editor.js: the mouse and fingers on the canvas: painting tiles, putting things, selecting, dragging, resizing,
// turning; moving and zooming the view. The game runs on meanwhile.

const TILE_TOOLS = {
    solid: 1,
    "one-way": 2,
    "slope up": 4,
    "slope down": 5,
    "low slope up": 6,
    "low slope down": 8,
    "belt right": 10,
    "belt left": 11,
    spikes: 12,
    erase: 0
};
const THING_TOOLS = [
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
    "hero"
];
const DRAWN = ["box", "ledge", "belt"]; // by dragging from corner to corner
const ROUND = ["ball", "coin", "planet", "wheel"];
const WITH_PATH = ["lift", "door", "crusher"];
const TURNS = ["box", "ledge", "belt", "lift", "door", "crusher", "crate", "pendulum", "plate"];

const snapped = (value, grid) => Math.round(value / grid) * grid;

class Editor {
    constructor(app) {
        this.app = app;
        this.tool = "select";
        this.selected = -1; // place
        this.slot = 0; // of the world, for looking at
        this.stroke = 0;
        this.pointers = new Map();
        const canvas = app.view.canvas;
        canvas.addEventListener("pointerdown", event => this.down(event));
        canvas.addEventListener("pointermove", event => this.move(event));
        for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, event => this.up(event));
        canvas.addEventListener("wheel", event => this.wheel(event), { passive: false });
        canvas.addEventListener("contextmenu", event => event.preventDefault());
    }

    get session() {
        return this.app.session;
    }
    get can() {
        return this.app.editing && !this.app.duel && !this.app.scene.three;
    }

    spot(event) {
        const box = this.app.view.canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    world(event) {
        const at = this.spot(event);
        return this.app.view.toWorld(at.x, at.y);
    }

    // ---- selecting

    select(index, slot) {
        this.selected = index;
        this.slot = slot || (index >= 0 ? this.session.game.slot(index) : 0);
        this.app.panel.show(index >= 0 || slot ? "thing" : this.app.panel.tab);
    }

    forget() {
        this.selected = -1;
        this.slot = 0;
        this.drag = null;
    }

    thing() {
        const game = this.session.game;
        if (this.selected < 0 || this.selected >= game.count) return null;
        const thing = game.thing(this.selected);
        return thing.type ? thing : null;
    }

    pick(at) {
        const game = this.session.game,
            slot = game.c.play_pick(game.at, at.x, at.y);
        const index = slot ? game.c.play_place_of(game.at, slot) : -1;
        this.select(index, slot);
        return index;
    }

    // Where the selected thing is now: it may have moved from where the level has it.
    pose() {
        const list = this.session.game.list("play_draw", this.app.alpha);
        for (let i = 0; i < list.length; i += 6)
            if (list[i] === this.selected) return { x: list[i + 1], y: list[i + 2], c: list[i + 3], s: list[i + 4] };
        const thing = this.thing();
        return thing && { x: thing.x, y: thing.y, c: Math.cos(thing.angle), s: Math.sin(thing.angle) };
    }

    // Handles in world coordinates.
    handles() {
        const t = this.thing(),
            p = t && this.can && this.pose();
        if (!p) return [];
        const name = TYPES[t.type],
            at = (x, y) => ({ x: p.x + p.c * x - p.s * y, y: p.y + p.s * x + p.c * y });
        const list = [];
        if (name === "pendulum") list.push({ does: "length", ...at(0, -t.h) }, { does: "bob", ...at(t.w / 2, -t.h) });
        else if (ROUND.includes(name)) list.push({ does: "w", ...at(t.w / 2, 0) });
        else
            list.push(
                { does: "w", ...at(t.w / 2, 0) },
                { does: "h", ...at(0, t.h / 2) },
                { does: "wh", ...at(t.w / 2, t.h / 2) }
            );
        const above = (name === "pendulum" ? 0 : t.h / 2) + 28 / this.app.view.camera.scale;
        if (TURNS.includes(name)) list.push({ does: "turn", ...at(0, above) });
        if (WITH_PATH.includes(name)) list.push({ does: "path", x: t.x + t.dx, y: t.y + t.dy });
        return list;
    }

    handleAt(at) {
        const near = 13 / this.app.view.camera.scale;
        return this.handles().find(handle => Math.hypot(handle.x - at.x, handle.y - at.y) < near);
    }

    // ---- pointers

    down(event) {
        const { view } = this.app;
        view.canvas.focus({ preventScroll: true });
        view.canvas.setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, this.spot(event));
        if (this.app.scene.three || this.app.duel) return;
        if (this.pointers.size === 2) {
            this.drag = { does: "pinch", ...this.pinch(), camera: { ...view.camera } };
            return;
        }
        const at = this.world(event);
        this.stroke++;
        if (event.button === 1 || event.button === 2 || (event.button === 0 && event.altKey)) {
            this.drag = { does: "pan", from: this.spot(event), camera: { ...view.camera } };
        } else if (!this.can) {
            this.pick(at);
        } else if (this.tool in TILE_TOOLS) {
            this.drag = { does: "paint", last: at };
            this.paint(at, at);
        } else if (this.tool === "select") {
            this.grab(at);
        } else {
            this.place(at);
        }
    }

    move(event) {
        if (!this.pointers.has(event.pointerId)) return;
        this.pointers.set(event.pointerId, this.spot(event));
        const drag = this.drag,
            at = this.world(event),
            { view } = this.app;
        if (!drag) return;
        if (drag.does === "pan") {
            const now = this.spot(event);
            view.camera.x = drag.camera.x - (now.x - drag.from.x) / view.camera.scale;
            view.camera.y = drag.camera.y + (now.y - drag.from.y) / view.camera.scale;
            view.camera.follow = false;
        } else if (drag.does === "pinch") {
            this.zoomBy(drag);
        } else if (drag.does === "paint") {
            this.paint(drag.last, at);
            drag.last = at;
        } else {
            this.change(drag, at, event.shiftKey ? 0.01 : 0.25);
        }
    }

    up(event) {
        this.pointers.delete(event.pointerId);
        this.drag = null;
    }

    pinch() {
        const [a, b] = [...this.pointers.values()];
        return {
            middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
            far: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y))
        };
    }

    zoomBy(drag) {
        if (this.pointers.size < 2) return;
        const now = this.pinch(),
            { camera } = this.app.view;
        camera.scale = Math.max(4, Math.min(160, (drag.camera.scale * now.far) / drag.far));
        camera.x = drag.camera.x - (now.middle.x - drag.middle.x) / camera.scale;
        camera.y = drag.camera.y + (now.middle.y - drag.middle.y) / camera.scale;
        camera.follow = false;
    }

    wheel(event) {
        event.preventDefault();
        if (this.app.duel || this.app.scene.three) return;
        const { view } = this.app,
            before = this.world(event);
        view.camera.scale = Math.max(4, Math.min(160, view.camera.scale * Math.exp(-event.deltaY * 0.0015)));
        const after = this.world(event);
        view.camera.x += before.x - after.x;
        view.camera.y += before.y - after.y;
    }

    // ---- what a drag does

    paint(from, to) {
        const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) * 2));
        for (let i = 0; i <= steps; i++) {
            const x = Math.floor(from.x + ((to.x - from.x) * i) / steps),
                y = Math.floor(from.y + ((to.y - from.y) * i) / steps);
            let value = TILE_TOOLS[this.tool];
            if (this.tool.startsWith("low slope")) value += x & 1; // two cells make one slope
            this.session.setTile(x, y, value, "s" + this.stroke);
        }
    }

    grab(at) {
        const handle = this.handleAt(at);
        if (handle) {
            this.drag = { does: handle.does, start: this.thing(), pose: this.pose() };
            return;
        }
        const index = this.pick(at),
            pose = index >= 0 && this.pose();
        if (pose) this.drag = { does: "move", start: this.thing(), from: at, dx: at.x - pose.x, dy: at.y - pose.y };
        else if (index < 0)
            this.drag = {
                does: "pan",
                from: this.app.view.toScreen(at.x, at.y),
                camera: { ...this.app.view.camera }
            };
    }

    place(at) {
        const index = this.session.freeIndex(),
            type = T[this.tool];
        if (index < 0) return this.app.toast("The level is full");
        const old = this.tool === "hero" ? this.findHero() : -1;
        const corner = { x: snapped(at.x, 0.5), y: snapped(at.y, 0.5) };
        let thing = makeThing(type, corner);
        if (this.app.viewKind === "top" && ["hero", "crate"].includes(this.tool))
            thing.w = thing.h = Math.fround(0.9);
        const into = old >= 0 ? old : index;
        if (old >= 0) thing = makeThing(type, { ...this.session.game.thing(old), ...corner });
        this.session.put(into, thing, "s" + this.stroke);
        this.select(into);
        this.drag = DRAWN.includes(this.tool)
            ? { does: "corner", start: thing, from: corner }
            : WITH_PATH.includes(this.tool)
              ? { does: "newpath", start: thing }
              : { does: "move", start: thing, from: at, dx: 0, dy: 0 };
    }

    findHero() {
        const { game } = this.session;
        for (let i = 0; i < game.count; i++) if (game.thing(i).type === T.hero) return i;
        return -1;
    }

    change(drag, at, grid) {
        const thing = { ...this.thing() },
            p = drag.pose || {};
        if (!thing.type) return;
        const dx = at.x - p.x,
            dy = at.y - p.y,
            local = { x: p.c * dx + p.s * dy, y: -p.s * dx + p.c * dy };
        const size = value => Math.max(0.25, snapped(value, grid));
        const path = { dx: snapped(at.x - thing.x, grid), dy: snapped(at.y - thing.y, grid) };
        switch (drag.does) {
            case "move":
                if (!drag.moved && Math.hypot(at.x - drag.from.x, at.y - drag.from.y) < 0.12) return;
                drag.moved = true;
                thing.x = snapped(at.x - drag.dx, grid);
                thing.y = snapped(at.y - drag.dy, grid);
                break;
            case "corner":
                if (Math.hypot(at.x - drag.from.x, at.y - drag.from.y) < 0.4) return;
                thing.w = size(Math.abs(at.x - drag.from.x));
                thing.h = TYPES[thing.type] === "ledge" ? thing.h : size(Math.abs(at.y - drag.from.y));
                thing.x = drag.from.x + (Math.sign(at.x - drag.from.x) * thing.w) / 2;
                thing.y =
                    TYPES[thing.type] === "ledge"
                        ? drag.from.y
                        : drag.from.y + (Math.sign(at.y - drag.from.y) * thing.h) / 2;
                break;
            case "newpath":
                if (Math.hypot(path.dx, path.dy) < 0.75) return;
                Object.assign(thing, path);
                break;
            case "path":
                Object.assign(thing, path);
                break;
            case "w":
                thing.w = size(2 * Math.abs(local.x));
                break;
            case "h":
                thing.h = size(2 * Math.abs(local.y));
                break;
            case "wh":
                ((thing.w = size(2 * Math.abs(local.x))), (thing.h = size(2 * Math.abs(local.y))));
                break;
            case "length":
                thing.h = size(Math.hypot(dx, dy));
                break;
            case "bob":
                thing.w = size(2 * Math.abs(local.x));
                break;
            case "turn":
                thing.angle = snapped(Math.atan2(-dx, dy), grid < 0.1 ? 0.01 : Math.PI / 24);
                break;
            default:
                return;
        }
        if (ROUND.includes(TYPES[thing.type])) thing.h = TYPES[thing.type] === "wheel" ? thing.h : thing.w;
        if (TYPES[thing.type] === "hero") thing.h = Math.max(thing.h, thing.w);
        if (MEMBERS.some(name => Math.fround(thing[name]) !== this.thing()[name])) {
            this.session.put(this.selected, thing, "s" + this.stroke);
            this.slot = this.session.game.slot(this.selected);
            this.app.panel.stale = true;
        }
    }

    remove() {
        const thing = this.thing();
        if (!thing) return;
        if (thing.type === T.hero && this.app.heroes() < 2) return this.app.toast("The last hero stays");
        this.stroke++;
        this.session.put(this.selected, makeThing(0), "s" + this.stroke);
        this.forget();
        this.app.panel.stale = true;
    }

    // ---- drawing

    draw(view) {
        const { ctx } = view,
            game = this.session.game;
        const thing = this.thing(),
            pose = thing && this.pose();
        view.base();
        ctx.strokeStyle = view.look.theme === "dark" ? "#ffffff" : "#1d2532";
        ctx.lineWidth = 1.5 / view.camera.scale;
        ctx.setLineDash([5 / view.camera.scale, 4 / view.camera.scale]);
        ctx.beginPath();
        if (pose && TYPES[thing.type] !== "pendulum") {
            view.local(pose.x, pose.y, pose.c, pose.s);
            const w = thing.w + 8 / view.camera.scale;
            const h = (ROUND.includes(TYPES[thing.type]) ? thing.w : thing.h) + 8 / view.camera.scale;
            ctx.rect(-w / 2, -h / 2, w, h);
        } else if (this.slot) {
            const b = game.list("play_bounds", this.slot);
            const tiles = this.selected < 0 && game.c.play_place_of(game.at, this.slot) < 0;
            if (b.length && !tiles) ctx.rect(b[0], b[1], b[2] - b[0], b[3] - b[1]);
        }
        view.base();
        ctx.stroke();
        ctx.setLineDash([]);
        for (const handle of this.handles()) {
            const r = (handle.does === "turn" ? 6 : 5) / view.camera.scale;
            ctx.beginPath();
            if (handle.does === "turn" || handle.does === "path") ctx.arc(handle.x, handle.y, r, 0, 7);
            else ctx.rect(handle.x - r, handle.y - r, 2 * r, 2 * r);
            ctx.fillStyle =
                handle.does === "path" ? COLOURS.mover : handle.does === "turn" ? COLOURS.pushable : "#ffffff";
            ctx.fill();
            ctx.stroke();
        }
    }
}
