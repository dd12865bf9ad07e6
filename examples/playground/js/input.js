// SPDX-License-Identifier: MIT OR Unlicense
//
// input.js: keys, gamepad and touch as the bits of game.h.

const LEFT = 1,
    RIGHT = 2,
    UP = 4,
    DOWN = 8,
    JUMP = 16,
    TURN_LEFT = 32,
    TURN_RIGHT = 64;
const KEYS_ARROWS = { ArrowLeft: LEFT, ArrowRight: RIGHT, ArrowUp: UP, ArrowDown: DOWN, Space: JUMP, KeyZ: JUMP };
const KEYS_LETTERS = { KeyA: LEFT, KeyD: RIGHT, KeyW: UP, KeyS: DOWN, KeyQ: TURN_LEFT, KeyX: TURN_RIGHT };

class Input {
    constructor(onCommand) {
        this.held = new Set();
        this.pad = 0; // bits of the touch pad
        this.touchJump = false;
        this.rewinding = false;
        this.padButtons = {};
        this.onCommand = onCommand;
        addEventListener("keydown", event => this.key(event, true));
        addEventListener("keyup", event => this.key(event, false));
        addEventListener("blur", () => this.clear());
        document.addEventListener("visibilitychange", () => {
            if (document.hidden) this.clear();
        });
    }

    // A key that is held while the page loses the focus is never released.
    clear() {
        this.held.clear();
        this.pad = 0;
        this.touchJump = this.rewinding = false;
    }

    key(event, down) {
        const at = event.target;
        if (at.closest && at.closest("textarea, select, input, dialog")) return;
        if ((KEYS_ARROWS[event.code] || KEYS_LETTERS[event.code]) && !event.ctrlKey && !event.metaKey) {
            if (down) this.held.add(event.code);
            else this.held.delete(event.code);
            if (at.blur && at.tagName === "BUTTON") at.blur();
            event.preventDefault();
            return;
        }
        if (event.code === "KeyR" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
            this.rewinding = down;
            return;
        }
        if (down && this.onCommand(event)) event.preventDefault();
    }

    bits(table) {
        let bits = 0;
        for (const code of this.held) bits |= table[code] || 0;
        return bits;
    }

    // A page that embeds this one may forbid them.
    gamepads() {
        try {
            return navigator.getGamepads ? navigator.getGamepads() : [];
        } catch (error) {
            return [];
        }
    }

    gamepad() {
        let bits = 0;
        const pads = this.gamepads();
        for (const pad of pads) {
            if (!pad) continue;
            const pressed = i => !!(pad.buttons[i] && pad.buttons[i].pressed);
            if (pad.axes[0] < -0.4 || pressed(14)) bits |= LEFT;
            if (pad.axes[0] > 0.4 || pressed(15)) bits |= RIGHT;
            if (pad.axes[1] < -0.4 || pressed(12)) bits |= UP;
            if (pad.axes[1] > 0.4 || pressed(13)) bits |= DOWN;
            if (pressed(0) || pressed(1)) bits |= JUMP;
            if ((pad.axes[2] || 0) < -0.4) bits |= TURN_LEFT;
            if ((pad.axes[2] || 0) > 0.4) bits |= TURN_RIGHT;
            for (const [button, command] of [
                [9, "pause"],
                [8, "restart"]
            ]) {
                if (pressed(button) && !this.padButtons[button]) this.onCommand({ command });
                this.padButtons[button] = pressed(button);
            }
            this.padRewind = pressed(4) || pressed(6);
        }
        if (!pads.length) this.padRewind = false;
        return bits;
    }

    // Keys that one player holds now; upwards jumps, too, in side views.
    keys(view) {
        let bits =
            this.bits(KEYS_ARROWS) |
            this.bits(KEYS_LETTERS) |
            this.gamepad() |
            this.pad |
            (this.touchJump ? JUMP : 0);
        if (view === "side") {
            if (bits & UP) bits |= JUMP;
            bits &= LEFT | RIGHT | DOWN | JUMP;
        }
        if (view === "top") bits &= LEFT | RIGHT | UP | DOWN;
        if (view === "3d") {
            // walking sideways turns the view after a while
            if (bits & LEFT) bits |= TURN_LEFT;
            if (bits & RIGHT) bits |= TURN_RIGHT;
        }
        return bits;
    }

    get wantsRewind() {
        return this.rewinding || !!this.padRewind;
    }
}

// The pad on the screen: where the thumb is, seen from the middle, says which keys are held.
function setUpTouch(input) {
    const pad = document.getElementById("pad"),
        knob = pad.querySelector("i");
    const move = event => {
        const box = pad.getBoundingClientRect();
        let x = ((event.clientX - box.left) / box.width) * 2 - 1,
            y = ((event.clientY - box.top) / box.height) * 2 - 1;
        const far = Math.hypot(x, y);
        if (far > 1) ((x /= far), (y /= far));
        knob.style.transform = `translate(${x * 38}px, ${y * 38}px)`;
        input.pad = (x < -0.3 ? LEFT : 0) | (x > 0.3 ? RIGHT : 0) | (y < -0.55 ? UP : 0) | (y > 0.55 ? DOWN : 0);
    };
    const leave = () => {
        input.pad = 0;
        knob.style.transform = "";
    };
    pad.addEventListener("pointerdown", event => {
        pad.setPointerCapture(event.pointerId);
        move(event);
    });
    pad.addEventListener("pointermove", event => {
        if (pad.hasPointerCapture(event.pointerId)) move(event);
    });
    for (const name of ["pointerup", "pointercancel"]) pad.addEventListener(name, leave);
    const hold = (id, set) => {
        const button = document.getElementById(id);
        button.addEventListener("pointerdown", event => {
            button.setPointerCapture(event.pointerId);
            set(true);
            event.preventDefault();
        });
        for (const name of ["pointerup", "pointercancel"]) button.addEventListener(name, () => set(false));
        button.addEventListener("contextmenu", event => event.preventDefault());
    };
    hold("touch-jump", down => {
        input.touchJump = down;
    });
    hold("touch-rewind", down => {
        input.rewinding = down;
    });
    hold("rewind", down => {
        input.rewinding = down;
    });
    const show = () => document.body.classList.add("touch");
    if (matchMedia("(pointer: coarse)").matches) show();
    addEventListener("touchstart", show, { once: true, passive: true });
}
