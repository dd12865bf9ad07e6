// SPDX-License-Identifier: MIT OR Unlicense
//
// draw3.js: the 3D scene through a camera behind the hero: solids from far to near, and over them
// the lines of kin_debug_draw.

const NEAR = 0.15;

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit3 = a => {
    const l = Math.hypot(...a) || 1;
    return [a[0] / l, a[1] / l, a[2] / l];
};

// Faces of the hull of a few points, as lists of their numbers: planes through three points with all others behind.
function hullFaces(points) {
    const faces = [],
        seen = new Set();
    for (let i = 0; i < points.length; i++)
        for (let j = i + 1; j < points.length; j++)
            for (let k = j + 1; k < points.length; k++) {
                let normal = cross(sub(points[j], points[i]), sub(points[k], points[i]));
                if (Math.hypot(...normal) < 1e-6) continue;
                normal = unit3(normal);
                const sides = points.map(p => dot3(normal, sub(p, points[i])));
                if (sides.some(s => s > 1e-3) && sides.some(s => s < -1e-3)) continue;
                if (sides.some(s => s > 1e-3)) normal = normal.map(a => -a);
                const on = points.map((_, n) => n).filter(n => Math.abs(sides[n]) <= 1e-3),
                    key = on.join();
                if (seen.has(key)) continue;
                seen.add(key);
                const middle = on.reduce((m, n) => m.map((a, d) => a + points[n][d] / on.length), [0, 0, 0]);
                const x = unit3(sub(points[on[0]], middle)),
                    y = cross(normal, x);
                const angle = n => Math.atan2(dot3(y, sub(points[n], middle)), dot3(x, sub(points[n], middle)));
                faces.push(on.sort((a, b) => angle(a) - angle(b)));
            }
    return faces;
}

class View3 {
    constructor(view) {
        this.view = view; // whose canvas it draws on
        this.faces = new Map();
    }

    aim(game, alpha) {
        const [ex, ey, ez, tx, ty, tz] = game.list("play_camera", alpha);
        this.eye = [ex, ey, ez];
        this.ahead = unit3([tx - ex, ty - ey, tz - ez]);
        this.right = unit3(cross(this.ahead, [0, 1, 0]));
        this.up = cross(this.right, this.ahead);
        this.focal = Math.min(this.view.width, this.view.height * 1.5) * 0.8;
    }

    // To the right, up, away.
    seen(p) {
        const d = sub(p, this.eye);
        return [dot3(this.right, d), dot3(this.up, d), dot3(this.ahead, d)];
    }

    flat(p) {
        return [this.view.width / 2 + (this.focal * p[0]) / p[2], this.view.height / 2 - (this.focal * p[1]) / p[2]];
    }

    render(game, look) {
        const { view } = this,
            { ctx } = view;
        view.theme = THEMES[look.theme];
        view.look = look;
        view.background({ columns: 0, rows: 0 }, { three: true });
        this.aim(game, look.alpha);
        ctx.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
        ctx.lineCap = ctx.lineJoin = "round";
        for (const solid of this.sorted(this.solids(game, look.alpha))) this.drawSolid(solid);
        this.drawLines(game, look);
    }

    // ---- solids

    solids(game, alpha) {
        const list = game.list("play_solids", alpha),
            solids = [];
        for (let i = 0; i < list.length;) {
            const [slot, kind, other, radius, count] = list.slice(i, i + 5),
                points = [];
            i += 5;
            for (let k = 0; k < count; k++, i += 3) points.push([list[i], list[i + 1], list[i + 2]]);
            const low = [0, 1, 2].map(d => Math.min(...points.map(p => p[d])) - radius);
            const high = [0, 1, 2].map(d => Math.max(...points.map(p => p[d])) + radius);
            const middle = low.map((a, d) => (a + high[d]) / 2);
            solids.push({
                slot,
                kind,
                hero: !other,
                radius,
                points,
                low,
                high,
                far: Math.hypot(...sub(middle, this.eye)),
                before: [],
                waits: 0
            });
        }
        return solids;
    }

    // Whether a is behind b: their boxes lie on two sides of a level or upright plane, and b is on the eye's side.
    behind(a, b) {
        for (let d = 0; d < 3; d++) {
            if (a.high[d] <= b.low[d] + 0.02 && this.eye[d] > b.low[d]) return true;
            if (a.low[d] >= b.high[d] - 0.02 && this.eye[d] < b.high[d]) return true;
        }
        return false;
    }

    // From back to front; where three are behind each other in a ring, the furthest comes first.
    sorted(solids) {
        for (const a of solids)
            for (const b of solids)
                if (a !== b && this.behind(a, b) && !this.behind(b, a)) (a.before.push(b), b.waits++);
        const left = new Set(solids),
            order = [];
        while (left.size) {
            const free = [...left].filter(solid => !solid.waits),
                from = free.length ? free : [...left];
            const next = from.reduce((best, solid) => (solid.far > best.far ? solid : best));
            left.delete(next);
            order.push(next);
            next.before.forEach(solid => solid.waits--);
        }
        return order;
    }

    colour(solid) {
        return solid.hero
            ? COLOURS.unpushable
            : solid.kind === 3
              ? COLOURS.pushable
              : solid.kind === 2
                ? COLOURS.mover
                : this.view.look.theme === "dark"
                  ? "#566070"
                  : "#aab3c2";
    }

    drawSolid(solid) {
        if (solid.radius > 0) return this.drawRound(solid);
        if (!this.faces.has(solid.slot)) this.faces.set(solid.slot, hullFaces(solid.points));
        const colour = this.colour(solid),
            rgb = [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16));
        for (const face of this.faces.get(solid.slot)) {
            const p = face.map(n => solid.points[n]);
            const normal = unit3(cross(sub(p[1], p[0]), sub(p[2], p[0])));
            if (dot3(normal, sub(this.eye, p[0])) <= 0) continue;
            const light = 0.7 + 0.3 * Math.max(0, normal[1]) + 0.1 * normal[0] - 0.08 * normal[2];
            const fog = Math.max(0.55, 1 - solid.far / 60);
            this.polygon(p, `rgb(${rgb.map(a => Math.round(a * light * fog)).join()})`, solid.high[1] < 0.01);
        }
    }

    // Cut off what is behind the camera.
    clipped(points) {
        const seen = points.map(p => this.seen(p)),
            out = [];
        seen.forEach((a, i) => {
            const b = seen[(i + 1) % seen.length];
            if (a[2] >= NEAR) out.push(a);
            if (a[2] >= NEAR !== b[2] >= NEAR) {
                const t = (NEAR - a[2]) / (b[2] - a[2]);
                out.push(a.map((value, d) => value + t * (b[d] - value)));
            }
        });
        return out;
    }

    path(points) {
        const shown = this.clipped(points);
        if (shown.length < 2) return false;
        shown.forEach((p, i) => (i ? this.view.ctx.lineTo(...this.flat(p)) : this.view.ctx.moveTo(...this.flat(p))));
        return true;
    }

    polygon(points, fill, isFloor) {
        const { ctx } = this.view;
        ctx.beginPath();
        if (!this.path(points)) return;
        ctx.closePath();
        ctx.fillStyle = fill;
        ctx.fill();
        ctx.strokeStyle = "#00000050";
        ctx.lineWidth = 1;
        ctx.stroke();
        if (isFloor) this.grid();
    }

    // Lines on the floor, so that one sees motion.
    grid() {
        const { ctx } = this.view;
        ctx.beginPath();
        for (let i = -12; i <= 12; i += 2) {
            this.path([
                [i, 0, -12],
                [i, 0, 12]
            ]);
            this.path([
                [-12, 0, i],
                [12, 0, i]
            ]);
        }
        ctx.strokeStyle = this.view.look.theme === "dark" ? "#ffffff18" : "#ffffff70";
        ctx.stroke();
    }

    // A ball or capsule: a thick line with round ends; the hero has a shadow below.
    drawRound(solid) {
        const { ctx } = this.view,
            ends = solid.points.map(p => this.seen(p)).filter(p => p[2] > 0.3);
        if (!ends.length) return;
        const flat = ends.map(p => this.flat(p)),
            width = (2 * solid.radius * this.focal) / (ends.reduce((sum, p) => sum + p[2], 0) / ends.length);
        const line = (dx, wide, colour) => {
            ctx.beginPath();
            flat.forEach(([x, y], i) => (i ? ctx.lineTo(x + dx, y) : ctx.moveTo(x + dx, y)));
            if (flat.length === 1) ctx.lineTo(flat[0][0] + dx + 0.01, flat[0][1]);
            ctx.lineWidth = wide;
            ctx.strokeStyle = colour;
            ctx.stroke();
        };
        line(0, width + 2, "#00000060");
        line(0, width, this.colour(solid));
        line(-width * 0.22, width * 0.16, "#ffffff50");
    }

    // ---- the lines of kin_debug_draw

    drawLines(game, look) {
        const layers = layersOf(look.overlays);
        if (!layers) return;
        const { ctx, theme } = this.view;
        const draw = (mask, alpha) => {
            if (!mask) return;
            const paths = debugPaths(game, mask, 0, 6, (path, list, i) => {
                const ends = this.clipped([
                    [list[i], list[i + 1], list[i + 2]],
                    [list[i + 3], list[i + 4], list[i + 5]]
                ]);
                if (ends.length < 2) return;
                path.moveTo(...this.flat(ends[0]));
                path.lineTo(...this.flat(ends[1]));
            });
            ctx.lineWidth = 1.2;
            ctx.globalAlpha = alpha;
            for (const [colour, path] of paths) {
                ctx.strokeStyle = debugColour(colour, theme);
                ctx.stroke(path);
            }
            ctx.globalAlpha = 1;
        };
        draw(layers & 1, 0.3); // shapes are there as solids already
        draw(layers & ~1, 1);
    }
}
