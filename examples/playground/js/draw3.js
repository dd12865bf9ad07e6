// SPDX-License-Identifier: MIT OR Unlicense
//
// draw3.js: the 3D scene: the lines of kin_debug_draw through a camera behind the hero.

class View3 {
    constructor(view) {
        this.view = view;      // whose canvas it draws on
        this.eye = null;
    }

    // c: where the camera is and what it looks at, from play_camera.
    aim(game, alpha) {
        const [ex, ey, ez, tx, ty, tz] = game.list("play_camera", alpha);
        const unit = v => { const l = Math.hypot(...v) || 1; return v.map(a => a / l); };
        const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        this.eye = [ex, ey, ez];
        this.ahead = unit([tx - ex, ty - ey, tz - ez]);
        this.right = unit(cross(this.ahead, [0, 1, 0]));
        this.up = cross(this.right, this.ahead);
        this.focal = Math.min(this.view.width, this.view.height * 1.5) * 0.8;
    }

    // To the right, up, away.
    seen(x, y, z) {
        const d = [x - this.eye[0], y - this.eye[1], z - this.eye[2]];
        const dot = a => a[0] * d[0] + a[1] * d[1] + a[2] * d[2];
        return [dot(this.right), dot(this.up), dot(this.ahead)];
    }

    render(game, look) {
        const { view } = this, { ctx } = view, near = 0.1;
        view.theme = THEMES[look.theme];
        view.look = look;
        view.background({ columns: 0, rows: 0 }, { three: true });
        this.aim(game, look.alpha);
        ctx.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
        this.faces(game, look);
        const named = new Set(OVERLAYS.flatMap(o => o.colours || []));
        const shown = new Set(OVERLAYS.filter(o => look.overlays[o.id]).flatMap(o => o.colours || []));
        const list = game.list("play_debug_lines"), paths = new Map();
        for (let i = 0; i < list.length; i += 10) {
            const colour = list[i + 6] * 16777216 + list[i + 7] * 65536 + list[i + 8] * 256 + list[i + 9];
            if (named.has(colour) && !shown.has(colour)) continue;
            let a = this.seen(list[i], list[i + 1], list[i + 2]), b = this.seen(list[i + 3], list[i + 4], list[i + 5]);
            if (a[2] < near && b[2] < near) continue;
            if (a[2] < near) [a, b] = [b, a];
            if (b[2] < near) {                     // cut off what is behind the camera
                const t = (near - a[2]) / (b[2] - a[2]);
                b = a.map((value, k) => value + t * (b[k] - value));
            }
            const depth = Math.min(3, Math.floor((a[2] + b[2]) / 16)), key = colour * 4 + depth;
            let path = paths.get(key);
            if (!path) paths.set(key, path = new Path2D());
            path.moveTo(...this.flat(a));
            path.lineTo(...this.flat(b));
        }
        ctx.lineCap = "round";
        for (const [key, path] of [...paths].sort((a, b) => b[0] % 4 - a[0] % 4)) {
            const colour = Math.floor(key / 4), depth = key % 4;
            const text = "#" + (colour - colour % 256).toString(16).padStart(8, "0").slice(0, 6);
            ctx.globalAlpha = [1, 0.75, 0.5, 0.35][depth];
            ctx.lineWidth = [2, 1.6, 1.2, 1][depth];
            ctx.strokeStyle = colour === 0xFFFFFFFF || (look.theme === "light" && colour === 0xA0A0A0FF) ? view.theme.velocity : text;
            ctx.stroke(path);
        }
        ctx.globalAlpha = 1;
    }

    flat(p) {
        const { view } = this;
        return [view.width / 2 + this.focal * p[0] / p[2], view.height / 2 - this.focal * p[1] / p[2]];
    }

    faces() {}
}
