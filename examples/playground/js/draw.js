// SPDX-License-Identifier: MIT OR Unlicense
//
// draw.js: a game in 2D on a canvas. Filled shapes at poses between the last two steps, all of one kind in one path;
// lines only for overlays and what is selected.

const BEYOND = 60; // cells that walls at the border of a level go on

class View {
    constructor(canvas) {
        this.canvas = canvas;
        this.ctx = canvas.getContext("2d", { alpha: false });
        this.camera = { x: 0, y: 0, scale: 40, follow: true };
        this.particles = [];
        this.version = -1;
        this.resize();
    }

    resize() {
        const box = this.canvas.getBoundingClientRect();
        this.ratio = Math.min(2, window.devicePixelRatio || 1);
        this.width = Math.max(1, box.width);
        this.height = Math.max(1, box.height);
        const w = Math.round(this.width * this.ratio),
            h = Math.round(this.height * this.ratio);
        if (this.canvas.width !== w || this.canvas.height !== h) ((this.canvas.width = w), (this.canvas.height = h));
    }

    toWorld(sx, sy) {
        const c = this.camera;
        return { x: c.x + (sx - this.width / 2) / c.scale, y: c.y - (sy - this.height / 2) / c.scale };
    }

    toScreen(x, y) {
        const c = this.camera;
        return { x: this.width / 2 + (x - c.x) * c.scale, y: this.height / 2 - (y - c.y) * c.scale };
    }

    // ---- the camera: the whole level if it fits and is not too small so, else around the hero

    frame(level, wanted) {
        const fit = Math.min(this.width / level.columns, this.height / level.rows);
        this.camera.scale = wanted
            ? Math.max(Math.min(this.width, this.height * 1.6) / wanted, fit * 0.98)
            : fit * 0.98;
        this.camera.x = level.columns / 2;
        this.camera.y = level.rows / 2;
        this.camera.follow = true;
        this.keepInside(level);
    }

    keepInside(level) {
        const c = this.camera,
            halfW = this.width / 2 / c.scale,
            halfH = this.height / 2 / c.scale;
        const inside = (value, half, size) =>
            size <= 2 * half ? size / 2 : Math.max(half, Math.min(size - half, value));
        c.x = inside(c.x, halfW, level.columns);
        c.y = inside(c.y, halfH, level.rows);
    }

    followHero(at, level, seconds) {
        if (!at || !this.camera.follow) return;
        const c = this.camera,
            ease = 1 - Math.exp(-6 * seconds);
        const roomX = (this.width / c.scale) * 0.12,
            roomY = (this.height / c.scale) * 0.14;
        const pull = (value, goal, room) =>
            value + Math.sign(goal - value) * Math.max(0, Math.abs(goal - value) - room) * ease;
        c.x = pull(c.x, at.x, roomX);
        c.y = pull(c.y, at.y, roomY);
        this.keepInside(level);
    }

    base() {
        const c = this.camera,
            s = c.scale * this.ratio;
        this.ctx.setTransform(
            s,
            0,
            0,
            -s,
            (this.width / 2) * this.ratio - c.x * s,
            (this.height / 2) * this.ratio + c.y * s
        );
    }

    // A thing's own coordinates.
    local(x, y, c, s) {
        const k = this.camera.scale * this.ratio;
        const ox = (this.width / 2) * this.ratio + (x - this.camera.x) * k,
            oy = (this.height / 2) * this.ratio - (y - this.camera.y) * k;
        this.ctx.setTransform(k * c, -k * s, -k * s, -k * c, ox, oy);
    }

    // ---- everything

    // look: { theme, dark, alpha, time, overlays, editing }
    render(game, things, version, look) {
        this.theme = THEMES[look.theme];
        this.look = look;
        if (this.version !== version || this.drawn !== game) this.buildTiles(game, version);
        this.background(game, look);
        const poses = game.list("play_draw", look.alpha).slice();
        this.groups = {};
        for (let i = 0; i < poses.length; i += 6) {
            const index = poses[i],
                thing = things[index];
            if (!thing) continue;
            (this.groups[TYPES[thing.type]] ||= []).push({
                index,
                thing,
                x: poses[i + 1],
                y: poses[i + 2],
                c: poses[i + 3],
                s: poses[i + 4],
                state: poses[i + 5]
            });
        }
        const score = game.score();
        this.paths(look);
        this.group("planet", this.planets);
        this.group("goal", this.goals);
        this.group("plate", this.plates);
        this.tiles(look);
        this.group("box", this.boxes);
        this.group("belt", this.belts);
        this.group("ledge", this.ledges);
        this.group("pendulum", this.pendulums);
        this.group("wheel", this.wheels);
        this.group("lift", this.lifts);
        this.group("door", this.doors);
        this.group("crusher", this.crushers);
        this.group("flag", list => this.flags(list, score));
        this.group("coin", this.coins);
        this.group("crate", this.crates);
        this.group("ball", this.balls);
        this.group("foe", this.foes);
        if (things.some(thing => thing.type === T.crowd)) this.crowd(game, look);
        this.group("hero", list => this.heroes(list, score));
        this.drawParticles(look);
        this.overlays(game, look);
    }

    group(name, draw) {
        const list = this.groups[name];
        if (list) draw.call(this, list);
        this.base();
    }

    background(game, look) {
        const { ctx } = this;
        ctx.setTransform(1, 0, 0, 1, 0, 0);
        const sky = ctx.createLinearGradient(0, 0, 0, this.canvas.height);
        sky.addColorStop(0, this.theme.top);
        sky.addColorStop(1, this.theme.bottom);
        ctx.fillStyle = sky;
        ctx.fillRect(0, 0, this.canvas.width, this.canvas.height);
        if (look.planets) this.stars();
        else if (!look.top && !look.three) this.hills();
        this.base();
        if (look.editing || look.top) {
            ctx.beginPath();
            for (let x = 0; x <= game.columns; x++) (ctx.moveTo(x, 0), ctx.lineTo(x, game.rows));
            for (let y = 0; y <= game.rows; y++) (ctx.moveTo(0, y), ctx.lineTo(game.columns, y));
            ctx.strokeStyle = this.theme.grid;
            ctx.lineWidth = 1 / this.camera.scale;
            ctx.stroke();
        }
    }

    // Far away, and slower than the level.
    hills() {
        const { ctx, canvas } = this,
            unit = this.camera.scale * this.ratio;
        [
            [0.18, 0.42, 1.3, 0.11],
            [0.34, 0.3, 0.9, 0.17]
        ].forEach(([slow, height, rough, wave], layer) => {
            ctx.beginPath();
            ctx.moveTo(0, canvas.height);
            for (let x = 0; x <= canvas.width + 12; x += 12) {
                const at = (x / unit + this.camera.x * slow) * wave;
                const rise = Math.sin(at) + rough * 0.5 * Math.sin(2.3 * at + 1) + 0.2 * Math.sin(5.1 * at);
                ctx.lineTo(
                    x,
                    canvas.height * (1 - height) - rise * canvas.height * 0.07 + this.camera.y * slow * unit * 0.3
                );
            }
            ctx.lineTo(canvas.width, canvas.height);
            ctx.fillStyle = this.theme.hills[layer];
            ctx.fill();
        });
    }

    stars() {
        const { ctx, canvas } = this;
        ctx.fillStyle = this.theme.star;
        for (let i = 0; i < 140; i++) {
            const x = ((i * 7919) % 1009) / 1009,
                y = ((i * 104729) % 997) / 997,
                size = (1 + (i % 3)) * 0.6 * this.ratio;
            ctx.fillRect(x * canvas.width, y * canvas.height, size, size);
        }
    }

    // ---- tiles: paths in cells, made anew only when the level changes

    buildTiles(game, version) {
        const w = game.columns,
            h = game.rows,
            tiles = game.tiles();
        const at = (x, y) => (x < 0 || y < 0 || x >= w || y >= h ? 0 : tiles[x + y * w]);
        const filled = value => value === 1 || value === 10 || value === 11;
        const slopes = {
            4: [0, 0, 1, 0, 1, 1],
            5: [0, 0, 1, 0, 0, 1],
            6: [0, 0, 1, 0, 1, 0.5],
            7: [0, 0, 1, 0, 1, 1, 0, 0.5],
            8: [0, 0, 1, 0, 1, 0.5, 0, 1],
            9: [0, 0, 1, 0, 0, 0.5]
        };
        const tops = {
            4: [0, 0, 1, 1],
            5: [0, 1, 1, 0],
            6: [0, 0, 1, 0.5],
            7: [0, 0.5, 1, 1],
            8: [0, 1, 1, 0.5],
            9: [0, 0.5, 1, 0]
        };
        this.version = version;
        this.drawn = game;
        this.fill = new Path2D();
        this.rim = new Path2D();
        this.through = new Path2D();
        this.spikes = new Path2D();
        this.beltTiles = [];
        for (let y = 0; y < h; y++)
            for (let x = 0; x < w; x++) {
                const value = at(x, y);
                if (filled(value)) {
                    const upper = y === h - 1 ? h + BEYOND : y + 1;
                    if (!filled(at(x - 1, y))) {
                        // a run of full cells, a little larger against hairlines
                        let end = x;
                        while (filled(at(end, y))) end++;
                        const left = x === 0 ? -BEYOND : x,
                            right = end === w ? w + BEYOND : end,
                            bottom = y === 0 ? -BEYOND : y;
                        const top = y === h - 1 ? h + BEYOND : y + (filled(at(x, y + 1)) ? 1.01 : 1);
                        this.fill.rect(left, bottom, right - left, top - bottom);
                    }
                    if (!filled(at(x, y + 1)) && !slopes[at(x, y + 1)] && y < h - 1)
                        (this.rim.moveTo(x, y + 1), this.rim.lineTo(x + 1, y + 1));
                    if (!filled(at(x, y - 1)) && y > 0) (this.rim.moveTo(x, y), this.rim.lineTo(x + 1, y));
                    if (!filled(at(x - 1, y)) && !slopes[at(x - 1, y)] && x > 0)
                        (this.rim.moveTo(x, y), this.rim.lineTo(x, upper));
                    if (!filled(at(x + 1, y)) && !slopes[at(x + 1, y)] && x < w - 1)
                        (this.rim.moveTo(x + 1, y), this.rim.lineTo(x + 1, upper));
                }
                if (value === 10 || value === 11) this.beltTiles.push([x, y, value === 10 ? 3 : -3]);
                if (slopes[value]) {
                    const p = slopes[value],
                        t = tops[value];
                    this.fill.moveTo(x + p[0], y + p[1]);
                    for (let i = 2; i < p.length; i += 2) this.fill.lineTo(x + p[i], y + p[i + 1]);
                    this.fill.closePath();
                    this.rim.moveTo(x + t[0], y + t[1]);
                    this.rim.lineTo(x + t[2], y + t[3]);
                }
                if (value === 2) this.through.roundRect(x, y + 0.75, 1, 0.25, 0.05);
                if (value === 12)
                    for (let i = 0; i < 3; i++) {
                        this.spikes.moveTo(x + i / 3, y);
                        this.spikes.lineTo(x + (i + 0.5) / 3, y + 0.42);
                        this.spikes.lineTo(x + (i + 1) / 3, y);
                    }
            }
    }

    tiles(look) {
        const { ctx, theme } = this;
        this.base();
        ctx.fillStyle = theme.solid;
        ctx.fill(this.fill);
        ctx.strokeStyle = theme.edge;
        ctx.lineWidth = 0.06;
        ctx.lineCap = "round";
        ctx.stroke(this.rim);
        ctx.fillStyle = COLOURS.oneWay;
        ctx.fill(this.through);
        ctx.fillStyle = COLOURS.contact;
        ctx.fill(this.spikes);
        if (!this.beltTiles.length) return;
        ctx.beginPath();
        for (const [x, y, speed] of this.beltTiles) this.chevrons(x, x + 1, y + 0.82, 0.12, speed, look.time);
        ctx.strokeStyle = "#ffffffb0";
        ctx.lineWidth = 0.07;
        ctx.stroke();
    }

    // Arrow heads between two x, which travel.
    chevrons(from, to, y, size, speed, time) {
        const gap = 0.5,
            shift = (((time * speed) % gap) + gap) % gap,
            way = Math.sign(speed) * size;
        for (let x = Math.ceil((from - shift) / gap) * gap + shift; x < to; x += gap) {
            if (x - size < from || x + size > to) continue;
            this.ctx.moveTo(x - way, y + size);
            this.ctx.lineTo(x, y);
            this.ctx.lineTo(x - way, y - size);
        }
    }

    // ---- things

    // One path for all: add draws one of them in its own coordinates.
    batch(list, add, fill, outline) {
        const { ctx } = this;
        ctx.beginPath();
        for (const one of list) {
            this.local(one.x, one.y, one.c, one.s);
            add(one.thing, one);
        }
        this.base();
        if (fill) ((ctx.fillStyle = fill), ctx.fill());
        if (outline) ((ctx.strokeStyle = outline), (ctx.lineWidth = 0.05), ctx.stroke());
    }

    lines(list, add, colour, width) {
        this.batch(list, add);
        this.ctx.strokeStyle = colour;
        this.ctx.lineWidth = width;
        this.ctx.stroke();
    }

    rounded(w, h, r) {
        this.ctx.roundRect(-w / 2, -h / 2, w, h, Math.min(r, w / 2, h / 2));
    }
    circle(x, y, r) {
        (this.ctx.moveTo(x + r, y), this.ctx.arc(x, y, r, 0, 7));
    }

    boxes(list) {
        this.batch(list, t => this.rounded(t.w, t.h, 0.06), this.theme.solid, this.theme.edge);
    }

    ledges(list) {
        this.batch(list, t => this.rounded(t.w, t.h, 0.12), COLOURS.oneWay);
        this.lines(
            list,
            t => {
                for (let x = -t.w / 2 + 0.35; x < t.w / 2 - 0.2; x += 0.5)
                    (this.ctx.moveTo(x - 0.1, -t.h / 2 - 0.2),
                        this.ctx.lineTo(x, -t.h / 2 - 0.1),
                        this.ctx.lineTo(x + 0.1, -t.h / 2 - 0.2));
            },
            COLOURS.oneWay + "90",
            0.05
        );
    }

    belts(list) {
        this.batch(list, t => this.rounded(t.w, t.h, t.h / 2), this.theme.solid, this.theme.edge);
        this.lines(
            list,
            t =>
                this.chevrons(
                    -t.w / 2 + t.h / 4,
                    t.w / 2 - t.h / 4,
                    0,
                    Math.min(0.16, t.h / 4),
                    t.speed,
                    this.look.time
                ),
            "#ffffffc0",
            0.07
        );
    }

    lifts(list) {
        this.batch(list, t => this.rounded(t.w, t.h, 0.14), COLOURS.mover, this.theme.outline);
        this.lines(
            list,
            t => {
                this.ctx.moveTo(-t.w / 2 + 0.2, t.h / 2 - 0.1);
                this.ctx.lineTo(t.w / 2 - 0.2, t.h / 2 - 0.1);
            },
            this.theme.shine,
            0.08
        );
    }

    doors(list) {
        this.batch(list, t => this.rounded(t.w, t.h, 0.12), COLOURS.mover, this.theme.outline);
        this.batch(list, t => this.circle(0, 0, Math.min(t.w, t.h) * 0.22), "#ffffffd0");
    }

    plates(list) {
        this.batch(
            list,
            (t, one) => this.ctx.roundRect(-t.w / 2, -t.h / 2, t.w, t.h * (one.state ? 0.4 : 1), 0.1),
            COLOURS.sensor + "c0"
        );
    }

    crushers(list) {
        this.batch(list, t => this.rounded(t.w, t.h, 0.08), COLOURS.mover, this.theme.outline);
        this.batch(
            list,
            t => {
                // teeth on the side that it goes to
                const down = Math.abs(t.dy) >= Math.abs(t.dx),
                    sign = Math.sign(down ? t.dy : t.dx) || -1;
                const wide = down ? t.w : t.h,
                    far = (down ? t.h : t.w) / 2,
                    many = Math.max(2, Math.round(wide / 0.5));
                const point = (along, out) => (down ? [along, sign * out] : [sign * out, along]);
                for (let i = 0; i < many; i++) {
                    const a = -wide / 2 + (wide * i) / many,
                        b = a + wide / many;
                    this.ctx.moveTo(...point(a, far));
                    this.ctx.lineTo(...point((a + b) / 2, far - 0.34));
                    this.ctx.lineTo(...point(b, far));
                    this.ctx.closePath();
                }
            },
            this.theme.ink
        );
    }

    wheels(list) {
        const arms = t => Math.max(0, Math.min(8, Math.floor(t.tag)));
        this.batch(
            list,
            t => {
                if (!arms(t)) return this.circle(0, 0, t.w / 2);
                this.circle(0, 0, 0.4);
            },
            COLOURS.mover,
            this.theme.outline
        );
        const { ctx } = this;
        ctx.beginPath();
        for (const { thing: t, x, y, c, s } of list)
            for (let i = 0; i < arms(t); i++) {
                const a = (i / arms(t)) * 2 * Math.PI,
                    ca = Math.cos(a),
                    sa = Math.sin(a);
                this.local(x, y, c * ca - s * sa, s * ca + c * sa);
                ctx.roundRect(0, -t.h / 2, t.w / 2, t.h, 0.12);
            }
        this.base();
        ctx.fillStyle = COLOURS.mover;
        ctx.fill();
        this.lines(
            list,
            t => {
                if (arms(t)) return;
                for (let i = 0; i < 6; i++) {
                    const a = (i * Math.PI) / 3;
                    this.ctx.moveTo(0.25 * t.w * Math.cos(a), 0.25 * t.w * Math.sin(a));
                    this.ctx.lineTo(0.44 * t.w * Math.cos(a), 0.44 * t.w * Math.sin(a));
                }
            },
            this.theme.shine,
            0.12
        );
        this.batch(list, t => this.circle(0, 0, arms(t) ? 0.18 : Math.min(0.3, t.w / 8)), "#ffffffd0");
    }

    pendulums(list) {
        this.lines(
            list,
            t => {
                this.ctx.moveTo(0, 0);
                this.ctx.lineTo(0, -t.h);
            },
            COLOURS.mover,
            0.12
        );
        this.batch(list, t => this.circle(0, 0, 0.2), "#ffffffd0", COLOURS.mover);
        this.batch(
            list,
            t => {
                if (t.tag > 0) this.ctx.roundRect(-t.w / 2, -t.h - 0.175, t.w, 0.35, 0.12);
                else this.circle(0, -t.h, t.w / 2);
            },
            COLOURS.mover,
            this.theme.outline
        );
        this.batch(
            list,
            t => {
                if (!(t.tag > 0)) this.circle(-t.w * 0.14, -t.h + t.w * 0.16, t.w * 0.1);
            },
            this.theme.shine
        );
    }

    planets(list) {
        const { ctx } = this;
        this.base();
        for (const { thing: t, x, y } of list) {
            // a glow, as far as one likes to think the air goes
            const glow = ctx.createRadialGradient(x, y, t.w / 2, x, y, t.w / 2 + 2.5);
            glow.addColorStop(0, "#50a0ff50");
            glow.addColorStop(1, "#50a0ff00");
            ctx.fillStyle = glow;
            ctx.beginPath();
            ctx.arc(x, y, t.w / 2 + 2.5, 0, 7);
            ctx.fill();
        }
        this.batch(
            list,
            t => {
                this.circle(0, 0, t.w / 2);
                this.ctx.rect(-0.6, t.w / 2 - 0.3, 1.2, 1);
            },
            COLOURS.mover
        );
        this.batch(
            list,
            t => {
                for (let i = 0; i < 5; i++) {
                    const a = i * 2.4 + t.x,
                        r = t.w * (0.12 + 0.06 * i);
                    this.circle(r * Math.cos(a), r * Math.sin(a), t.w * (0.1 - 0.012 * i));
                }
            },
            "#00000026"
        );
    }

    // Many crates are quicker as corners in the level's own coordinates.
    quads(list, inset, diagonal) {
        const { ctx } = this;
        ctx.beginPath();
        for (const { thing: t, x, y, c, s } of list) {
            const w = t.w / 2 - inset,
                h = t.h / 2 - inset;
            const cw = c * w,
                sw = s * w,
                ch = c * h,
                sh = s * h;
            ctx.moveTo(x - cw + sh, y - sw - ch);
            ctx.lineTo(x + cw + sh, y + sw - ch);
            ctx.lineTo(x + cw - sh, y + sw + ch);
            ctx.lineTo(x - cw - sh, y - sw + ch);
            ctx.closePath();
            if (diagonal) ctx.lineTo(x + cw - sh, y + sw + ch);
        }
    }

    crates(list) {
        const { ctx } = this,
            ice = list.filter(one => one.thing.tag > 0);
        this.base();
        ctx.lineJoin = "round";
        this.quads(list, 0.03);
        ctx.fillStyle = COLOURS.pushable;
        ctx.fill();
        ctx.strokeStyle = this.theme.outline;
        ctx.lineWidth = 0.06;
        ctx.stroke();
        if (ice.length) (this.quads(ice, 0.03), (ctx.fillStyle = "#bfe6ffb0"), ctx.fill());
        if (this.camera.scale < 14) return;
        this.quads(list, 0.17, true);
        ctx.strokeStyle = "#7a4a0066";
        ctx.lineWidth = 0.07;
        ctx.stroke();
    }

    balls(list) {
        this.batch(list, t => this.circle(0, 0, t.w / 2), COLOURS.pushable, this.theme.outline);
        this.batch(list, t => this.circle(-t.w * 0.14, t.w * 0.16, t.w * 0.1), "#ffffff80");
    }

    coins(list) {
        const turn = one => Math.abs(Math.cos(this.look.time * 2.6 + one.index)) * 0.85 + 0.15;
        const lift = one => 0.05 * Math.sin(this.look.time * 3 + one.index * 1.7);
        const disc = part => (t, one) => {
            this.ctx.moveTo((t.w / 2) * part * turn(one), lift(one));
            this.ctx.ellipse(0, lift(one), (t.w / 2) * part * turn(one), (t.w / 2) * part, 0, 0, 7);
        };
        this.batch(list, disc(1), this.theme.coin, this.theme.outline);
        this.batch(list, disc(0.55), "#ffffff60");
    }

    goals(list) {
        const half = 0.44;
        this.batch(
            list.filter(one => one.state),
            () => this.ctx.roundRect(-half, -half, 2 * half, 2 * half, 0.12),
            COLOURS.unpushable + "70"
        );
        this.ctx.setLineDash([0.18, 0.12]);
        this.lines(list, () => this.ctx.roundRect(-half, -half, 2 * half, 2 * half, 0.12), this.theme.coin, 0.07);
        this.ctx.setLineDash([]);
        this.batch(list, () => this.circle(0, 0, 0.1), this.theme.coin);
    }

    flags(list, score) {
        this.lines(
            list,
            t => {
                this.ctx.moveTo(-t.w / 2 + 0.1, -t.h / 2);
                this.ctx.lineTo(-t.w / 2 + 0.1, t.h / 2);
            },
            this.theme.edge,
            0.1
        );
        this.batch(
            list,
            t => {
                const left = -t.w / 2 + 0.1,
                    wave = 0.08 * Math.sin(this.look.time * 5),
                    top = t.h / 2;
                this.ctx.moveTo(left, top);
                this.ctx.quadraticCurveTo(left + 0.5, top - 0.1 + wave, left + 1.1, top - 0.3 - wave);
                this.ctx.quadraticCurveTo(left + 0.5, top - 0.45 + wave, left, top - 0.7);
            },
            score.won ? COLOURS.unpushable : COLOURS.sensor
        );
    }

    foes(list) {
        const top = this.look.top,
            way = one => (top ? Math.cos(((one.state - 1) * Math.PI) / 2) : one.state);
        this.batch(
            list,
            t => (top ? this.circle(0, 0, t.w / 2) : this.rounded(t.w, t.h, 0.22)),
            COLOURS.contact,
            this.theme.outline
        );
        this.batch(
            list,
            (t, one) => [-0.19, 0.19].forEach(x => this.circle((x + 0.1 * way(one)) * t.w, 0.1 * t.h, 0.13 * t.w)),
            "#fff"
        );
        this.batch(
            list,
            (t, one) => [-0.19, 0.19].forEach(x => this.circle((x + 0.15 * way(one)) * t.w, 0.08 * t.h, 0.06 * t.w)),
            "#11161f"
        );
        this.lines(
            list,
            (t, one) => {
                const x = 0.1 * way(one) * t.w;
                (this.ctx.moveTo(x - 0.34 * t.w, 0.32 * t.h), this.ctx.lineTo(x - 0.08 * t.w, 0.2 * t.h));
                (this.ctx.moveTo(x + 0.34 * t.w, 0.32 * t.h), this.ctx.lineTo(x + 0.08 * t.w, 0.2 * t.h));
            },
            "#11161f",
            0.07
        );
    }

    heroes(list, score) {
        const { ctx } = this;
        for (const { thing: t, x, y } of list) {
            const hero = score.heroes[t.tag > 0 ? 1 : 0],
                facing = hero.facing || 1,
                top = this.look.top;
            const round = top || this.look.planets,
                h = round ? t.w : Math.max(t.w, t.h),
                eye = round ? 0.1 * t.w : h / 2 - t.w * 0.55;
            const one = [{ thing: t, x, y, c: hero.up.y, s: -hero.up.x }];
            const second = t.tag > 0;
            this.batch(
                one,
                () => this.rounded(t.w, h, t.w / 2),
                second ? COLOURS.intangible : COLOURS.unpushable,
                this.theme.outline
            );
            this.batch(
                one,
                () => ctx.roundRect(-t.w * 0.36, -h * 0.4, t.w * 0.16, h * 0.7, t.w * 0.08),
                this.theme.shine
            );
            const blink = this.look.time % 3.7 < 0.12 ? 0.15 : 1;
            this.batch(
                one,
                () =>
                    [-0.02, 0.3].forEach(e => {
                        ctx.moveTo((e * facing + 0.13) * t.w, eye);
                        ctx.ellipse(e * facing * t.w, eye, 0.13 * t.w, 0.17 * t.w * blink, 0, 0, 7);
                    }),
                "#fff"
            );
            if (blink === 1)
                this.batch(
                    one,
                    () => [0.03, 0.35].forEach(e => this.circle(e * facing * t.w, eye - 0.01, 0.07 * t.w)),
                    "#11161f"
                );
        }
    }

    crowd(game, look) {
        const { ctx } = this,
            list = game.list("play_draw_crowd", look.alpha),
            shades = ["#FFB040", "#f59a2e", "#ffc46b", "#e88b1f"];
        const c = this.camera,
            halfW = this.width / 2 / c.scale + 1,
            halfH = this.height / 2 / c.scale + 1;
        for (let shade = 0; shade < 4; shade++) {
            ctx.beginPath();
            for (let i = shade * 3; i < list.length; i += 12) {
                const x = list[i],
                    y = list[i + 1],
                    r = list[i + 2];
                if (Math.abs(x - c.x) > halfW || Math.abs(y - c.y) > halfH) continue;
                if (r * c.scale < 2) ctx.rect(x - r, y - r, 2 * r, 2 * r);
                else (ctx.moveTo(x + r, y), ctx.arc(x, y, r, 0, 6.2832));
            }
            ctx.fillStyle = shades[shade];
            ctx.fill();
        }
    }

    // Where movers come from and go to.
    paths(look) {
        const { ctx } = this;
        this.base();
        ctx.beginPath();
        for (const name of ["lift", "door", "crusher"])
            for (const { thing: t } of this.groups[name] || [])
                (ctx.moveTo(t.x, t.y), ctx.lineTo(t.x + t.dx, t.y + t.dy));
        ctx.setLineDash([0.12, 0.2]);
        ctx.strokeStyle = this.theme.path;
        ctx.lineWidth = look.editing ? 0.09 : 0.05;
        ctx.stroke();
        ctx.setLineDash([]);
    }

    // ---- overlays: the lines of kin_debug_draw, those of one colour in one path

    overlays(game, look) {
        const layers = layersOf(look.overlays);
        if (layers) this.debugLines(game, layers, 0);
        if (look.selected) this.debugLines(game, LAYERS_OF_SELECTED, look.selected);
    }

    debugLines(game, layers, slot) {
        const paths = debugPaths(game, layers, slot, 4, (path, list, i) => {
            path.moveTo(list[i], list[i + 1]);
            path.lineTo(list[i + 2], list[i + 3]);
        });
        this.base();
        this.ctx.lineWidth = 1.6 / this.camera.scale;
        for (const [colour, path] of paths) {
            this.ctx.strokeStyle = debugColour(colour, this.theme);
            this.ctx.stroke(path);
        }
    }

    // ---- particles: dust, sparks; only for the eye

    burst(x, y, colour, count, speed) {
        if (this.particles.length > 300) return;
        for (let i = 0; i < count; i++) {
            const a = Math.random() * 6.283,
                v = speed * (0.3 + 0.7 * Math.random());
            this.particles.push({
                x,
                y,
                vx: v * Math.cos(a),
                vy: v * Math.sin(a),
                age: 0,
                life: 0.3 + 0.3 * Math.random(),
                colour
            });
        }
    }

    advanceParticles(seconds) {
        for (const p of this.particles) {
            p.age += seconds;
            p.x += p.vx * seconds;
            p.y += p.vy * seconds;
            p.vx *= 0.95;
            p.vy *= 0.95;
        }
        this.particles = this.particles.filter(p => p.age < p.life);
    }

    drawParticles() {
        const { ctx } = this;
        for (const p of this.particles) {
            const r = 0.11 * (1 - p.age / p.life);
            ctx.fillStyle = p.colour;
            ctx.fillRect(p.x - r, p.y - r, 2 * r, 2 * r);
        }
    }
}
