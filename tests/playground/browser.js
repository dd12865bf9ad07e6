// SPDX-License-Identifier: MIT OR Unlicense
//
// browser.js: the playground in a real Chromium, driven by keys and mouse as a visitor would. The last line is
// "N passed, N failed". Where Chromium or playwright-core is missing it says so and fails nothing.
//
//   make playground && node tests/playground/browser.js [--shots docs/playground] [NAME]
const childProcess = require("child_process");
const fs = require("fs");
const path = require("path");

const { palettePng } = require("./png.js");

const ROOT = path.resolve(__dirname, "../..");
const PAGE = path.join(ROOT, "build/playground.html");
const MODULES = path.join(ROOT, "build/browser/node_modules");

function findChromium() {
    const names = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    return names.find(name => name && fs.existsSync(name));
}

let passed = 0,
    failed = 0;
function check(condition, what) {
    if (condition) passed++;
    else (failed++, console.log("FAILED: " + what));
}

// ---- a visitor

class Visitor {
    constructor(page) {
        this.page = page;
    }

    async open(address) {
        await this.page.goto("about:blank");
        await this.page.goto("file://" + PAGE + (address ? "#" + address : ""));
        await this.page.waitForFunction("window.playground && playground.ready");
    }

    run(source) {
        return this.page.evaluate(source);
    }
    hash() {
        return this.run("playground.session.game.hash");
    }
    steps() {
        return this.run("playground.session.steps");
    }

    // Until so many steps have been made.
    async wait(steps) {
        const goal = (await this.steps()) + steps;
        await this.page.waitForFunction(goal => playground.session.steps >= goal, goal, {
            timeout: 60000,
            polling: 20
        });
    }

    async hold(keys, steps) {
        for (const key of keys) await this.page.keyboard.down(key);
        await this.wait(steps);
        for (const key of keys) await this.page.keyboard.up(key);
    }

    // Where the thing of a place is.
    where(index) {
        return this
            .run(`(() => { const g = playground.session.game; const f = g.list("play_inspect", g.slot(${index}));
            return { x: f[2], y: f[3] }; })()`);
    }

    find(type) {
        return this.run(`(() => { const g = playground.session.game;
            for (let i = 0; i < g.count; i++) if (g.thing(i).type === ${type}) return i; return -1; })()`);
    }

    // From coordinates of the level to those of the page.
    async spot(x, y) {
        return this.run(`(() => { const p = playground.view.toScreen(${x}, ${y});
            const b = playground.view.canvas.getBoundingClientRect();
            return { x: p.x + b.left, y: p.y + b.top }; })()`);
    }

    async click(x, y) {
        const at = await this.spot(x, y);
        await this.page.mouse.click(at.x, at.y);
    }

    async drag(x, y, toX, toY) {
        const from = await this.spot(x, y),
            to = await this.spot(toX, toY);
        await this.page.mouse.move(from.x, from.y);
        await this.page.mouse.down();
        await this.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
        await this.page.mouse.move(to.x, to.y, { steps: 4 });
        await this.page.mouse.up();
    }

    async tool(name) {
        await this.page.click(`#tools button[data-tool="${name}"]`);
    }
    async pause(paused) {
        await this.run(`playground.setPaused(${paused})`);
    }
}

const HERO = 16,
    CRATE = 10,
    LIFT = 3;

const TESTS = {
    async "keys move the hero"(v) {
        await v.open("scene=platformer");
        await v.wait(10);
        const hero = await v.find(HERO),
            before = await v.where(hero);
        await v.hold(["ArrowRight"], 20);
        const right = await v.where(hero);
        check(right.x > before.x + 0.5, `the hero runs: from ${before.x} to ${right.x}`);
        await v.page.keyboard.down("Space");
        await v.wait(14);
        const up = await v.where(hero);
        await v.page.keyboard.up("Space");
        check(up.y > right.y + 0.5, `and jumps: from ${right.y} to ${up.y}`);
    },

    async "a drawn crate is pushed"(v) {
        await v.open("scene=platformer");
        const hero = await v.find(HERO),
            at = await v.where(hero);
        await v.page.click("#edit");
        await v.tool("crate");
        await v.click(at.x + 2, at.y);
        const crate = await v.run("playground.editor.selected");
        await v.wait(20);
        const before = await v.where(crate);
        await v.hold(["ArrowRight"], 40);
        const after = await v.where(crate);
        check(after.x > before.x + 0.5, `the crate moved from ${before.x} to ${after.x}`);
        const things = await v.run("playground.session.game.count");
        await v.page.keyboard.press("Control+z");
        check((await v.run(`playground.session.game.thing(${things - 1}).type`)) === 0, "and is gone after undo");
    },

    async "tiles are painted, things selected, resized, deleted"(v) {
        await v.open("scene=platformer");
        await v.page.click("#edit");
        await v.pause(true);
        await v.tool("solid");
        await v.drag(5.5, 8.5, 8.5, 8.5);
        check(
            await v.run("[5, 6, 7, 8].every(x => playground.session.game.tileAt(x, 8) === 1)"),
            "four tiles are painted with one stroke"
        );
        await v.page.keyboard.press("Control+z");
        check(await v.run("playground.session.game.tileAt(6, 8) === 0"), "and undone at once");
        await v.tool("box");
        await v.drag(4, 7, 8, 8);
        const box = await v.run("playground.session.game.thing(playground.editor.selected)");
        check(
            box.type === 1 && Math.abs(box.w - 4) < 0.3 && Math.abs(box.h - 1) < 0.3,
            `a box is drawn: ${box.w} by ${box.h}`
        );
        await v.tool("select");
        await v.drag(box.x + box.w / 2, box.y, box.x + box.w / 2 + 1, box.y);
        const wider = await v.run("playground.session.game.thing(playground.editor.selected)");
        check(wider.w > box.w + 1, `its handle makes it wider: ${wider.w}`);
        await v.page.keyboard.press("Delete");
        check((await v.run("playground.editor.selected")) === -1, "Delete removes it");
        await v.tool("lift");
        await v.drag(6, 6, 6, 9);
        const lift = await v.run("playground.session.game.thing(playground.session.game.count - 1)");
        check(lift.type === LIFT && lift.dy > 2, `a lift is drawn with its path: ${lift.dy} up`);
    },

    async "a lift carries"(v) {
        await v.open("scene=platformer");
        await v.page.click("#edit");
        const hero = await v.find(HERO),
            at = await v.where(hero);
        await v.tool("lift");
        await v.drag(at.x, at.y + 1.75, at.x, at.y + 5); // above his head: he is put on it
        const lift = await v.run("playground.editor.selected");
        await v.tool("hero");
        await v.click(at.x, at.y + 3.2);
        await v.wait(150); // until he stands on it
        const heights = [],
            gaps = [];
        for (let i = 0; i < 5; i++) {
            await v.pause(true);
            const below = await v.where(lift);
            heights.push(below.y);
            gaps.push((await v.where(hero)).y - below.y);
            await v.pause(false);
            await v.wait(20);
        }
        const spread = list => Math.max(...list) - Math.min(...list);
        check(
            spread(heights) > 0.5 && spread(gaps) < 0.02,
            `the lift was at ${heights.join(", ")}, the hero above it by ${gaps.join(", ")}`
        );
    },

    async "rewinding gives the earlier hash"(v) {
        await v.open("scene=platformer");
        await v.hold(["ArrowRight"], 30);
        await v.pause(true);
        const hash = await v.hash(),
            step = await v.steps();
        await v.pause(false);
        await v.hold(["ArrowRight", "Space"], 60);
        await v.page.keyboard.down("KeyR");
        await v.page.waitForFunction(step => playground.session.steps <= step + 20, step, { timeout: 60000 });
        await v.page.keyboard.up("KeyR");
        await v.pause(true);
        await v.run(`playground.session.rewindTo(${step})`);
        check((await v.steps()) === step && (await v.hash()) === hash, `at step ${step} the hash is ${hash} again`);
    },

    async "the shared address gives the same level"(v) {
        await v.open("scene=crates");
        await v.page.click("#edit");
        await v.tool("crate");
        await v.click(6.5, 3.5);
        await v.page.click("#share");
        await v.page.waitForFunction("location.hash.startsWith('#level=')");
        const level = await v.run("JSON.stringify(playground.session.game.level('').things)");
        const address = (await v.run("location.hash")).slice(1);
        await v.open(address);
        const again = await v.run("JSON.stringify(playground.session.game.level('').things)");
        check(level === again, "all things are the same");
        check(address.length < 2000, `${address.length} letters in the address`);
    },

    async "the copied program ends with the page's hash"(v) {
        await v.open("scene=platformer");
        await v.hold(["ArrowRight"], 60);
        await v.page.click("#edit");
        const at = await v.where(await v.find(HERO));
        await v.tool("crate");
        await v.click(at.x + 2, at.y + 2);
        await v.run("playground.session.setOption(2, 9)");
        await v.hold(["ArrowRight", "Space"], 40);
        await v.hold(["ArrowLeft"], 30);
        await v.page.click("#copy");
        const source = await v.run("document.querySelector('#program textarea').value");
        const file = path.join(ROOT, "build/playground/browser.c"),
            program = file.replace(/\.c$/, "");
        fs.writeFileSync(file, source);
        childProcess.execFileSync(
            process.env.GCC || "gcc",
            ["-std=c99", "-O1", "-I" + ROOT, file, "-o", program, "-lm"],
            { stdio: "inherit" }
        );
        const said = childProcess.execFileSync(program).toString().trim();
        const hash = await v.hash(),
            steps = await v.steps();
        check(
            said.endsWith(`step ${steps}, hash ${hash}`),
            `the program says "${said}", the page step ${steps}, hash ${hash}`
        );
        await v.page.click("#program-close");
    },

    async "clicking inspects, overlays draw, time obeys"(v) {
        await v.open("scene=platformer");
        await v.wait(20);
        const hero = await v.where(await v.find(HERO));
        await v.run("playground.panel.show('view', true)");
        for (const overlay of ["shapes", "velocity", "ground", "contacts", "bounds"])
            await v.page.check(`input[data-overlay=${overlay}]`);
        await v.click(hero.x, hero.y);
        await v.wait(20);
        const text = await v.run("document.getElementById('body').textContent");
        check(
            /KIN_BODY/.test(text) && /KIN_STABLE/.test(text) && /tiles/.test(text),
            "the hero's state names its ground"
        );
        await v.page.keyboard.press("p");
        const step = await v.steps();
        await v.page.keyboard.press("n");
        await v.page.waitForTimeout(100);
        check((await v.steps()) === step + 1, "N makes one step");
        await v.page.keyboard.press("p");
        await v.page.keyboard.press("Shift+R");
        await v.page.waitForTimeout(50);
        check((await v.steps()) < step, "Shift+R starts again");
    }
};

// Those that need a page of their own: a finger, a gamepad.
const OTHER_PAGES = {
    async "fingers play on a phone"(browser, report) {
        const context = await browser.newContext({
            viewport: { width: 390, height: 780 },
            hasTouch: true,
            isMobile: true
        });
        const page = report(await context.newPage()),
            v = new Visitor(page);
        await v.open("scene=platformer");
        const hero = await v.find(HERO),
            before = await v.where(hero);
        const pad = await page.locator("#pad").boundingBox(),
            jump = await page.locator("#touch-jump").boundingBox();
        check(pad && jump && jump.x + jump.width <= 390, "pad and button are on the screen");
        const session = await context.newCDPSession(page);
        const finger = (x, y, id) => ({ x, y, id });
        const right = finger(pad.x + pad.width * 0.9, pad.y + pad.height / 2, 1);
        await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [right] });
        await v.wait(20);
        await session.send("Input.dispatchTouchEvent", {
            type: "touchStart",
            touchPoints: [right, finger(jump.x + 40, jump.y + 40, 2)]
        });
        await v.wait(12);
        const up = await v.where(hero);
        await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
        check(
            up.x > before.x + 0.5 && up.y > before.y + 0.5,
            `he runs and jumps: ${up.x - before.x} aside, ${up.y - before.y} up`
        );
        check((await v.run("document.documentElement.scrollWidth")) <= 390, "nothing is wider than the screen");
        await context.close();
    },

    // By the processor's time that the page takes, so that other programs do not matter.
    async "500 bodies fit into a frame"(browser, report) {
        const context = await browser.newContext({ viewport: { width: 1120, height: 640 } });
        const page = report(await context.newPage()),
            v = new Visitor(page);
        await v.open("scene=empty");
        await v.run(`for (let i = 0; i < 500; i++) playground.session.put(playground.session.freeIndex(),
            { type: ${CRATE}, x: 12 + i % 34, y: 3.5 + Math.floor(i / 34), w: 0.9, h: 0.9 }, "many")`);
        await v.wait(120);
        const session = await browser.newBrowserCDPSession();
        const spent = async () =>
            (await session.send("SystemInfo.getProcessInfo")).processInfo
                .filter(one => one.type === "renderer")
                .reduce((most, one) => Math.max(most, one.cpuTime), 0);
        await v.page.keyboard.down("ArrowRight"); // all of them are pushed
        await v.wait(20);
        const frames = () => v.run("playground.frameCount");
        const before = await spent(),
            first = await v.steps(),
            drawn = await frames();
        await v.wait(60);
        const cost = 1000 * ((await spent()) - before),
            steps = (await v.steps()) - first,
            pictures = (await frames()) - drawn;
        await v.page.keyboard.up("ArrowRight");
        console.log(`500 bodies: ${cost.toFixed(0)} ms of one core for ${steps} steps and ${pictures} frames`);
        check(cost / Math.max(steps, pictures) < 16.7, "500 bodies fit into a frame of 60 a second");
        await context.close();
    },

    // The committed page within docs/index.html. Until it is clicked, keys and wheel belong to the page around it.
    async "the front page has the playground in it"(browser, report) {
        const context = await browser.newContext({ viewport: { width: 1120, height: 800 } });
        const page = report(await context.newPage());
        await page.goto("file://" + path.join(ROOT, "docs/index.html"));
        const box = await page.locator("iframe").boundingBox(),
            frame = page.frames().find(one => one.url().endsWith("playground.html"));
        check(box && box.y + box.height <= 800, "it is seen without scrolling");
        await frame.waitForFunction("window.playground && playground.ready && playground.session.steps > 20");
        const x = () =>
            frame.evaluate(() => playground.heroAt(playground.session.game, playground.currentThings(), 0).x);
        const first = await x();
        await page.keyboard.down("ArrowRight");
        await page.waitForTimeout(300);
        await page.keyboard.up("ArrowRight");
        check((await x()) === first, "keys are not its own before it is clicked");
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.wheel(0, 60);
        await page.waitForFunction("scrollY > 0");
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await page.keyboard.down("ArrowRight");
        await frame.waitForFunction(
            first => playground.heroAt(playground.session.game, playground.currentThings(), 0).x > first + 0.5,
            first,
            { timeout: 60000 }
        );
        await page.keyboard.up("ArrowRight");
        check(await frame.evaluate("document.getElementById('cover').hidden"), "a click plays");
        await context.close();
        const silent = await browser.newContext({ javaScriptEnabled: false });
        const still = await silent.newPage();
        await still.goto("file://" + path.join(ROOT, "docs/index.html"));
        check(await still.locator("noscript img").isVisible(), "without scripts there is a picture");
        check(!(await still.locator("iframe").isVisible()), "and no empty frame");
        await silent.close();
    },

    async "a gamepad plays"(browser, report) {
        const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
        const page = report(await context.newPage()),
            v = new Visitor(page);
        await page.addInitScript(() => {
            window.pad = { axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false })) };
            navigator.getGamepads = () => [window.pad];
        });
        await v.open("scene=platformer");
        const hero = await v.find(HERO),
            before = await v.where(hero);
        await v.run("pad.axes[0] = 1");
        await v.wait(20);
        await v.run("pad.buttons[0].pressed = true");
        await v.wait(12);
        const up = await v.where(hero);
        check(up.x > before.x + 0.5 && up.y > before.y + 0.5, "stick and button move him");
        const step = await v.steps();
        await v.run("pad.axes[0] = 0; pad.buttons[0].pressed = false; pad.buttons[4].pressed = true");
        await page.waitForFunction(step => playground.session.steps < step - 10, step, { timeout: 60000 });
        await v.run("pad.buttons[4].pressed = false");
        check(true, "the shoulder button runs time backwards");
        await context.close();
    }
};

// ---- scenes: each runs, and is looked at

async function lookAt(v, id, folder) {
    await v.page.setViewportSize(
        folder ? { width: 800, height: id === "crowd" ? 300 : 460 } : { width: 1120, height: 640 }
    );
    await v.open("scene=" + id);
    const keys = id === "rollback" ? [] : id === "third-person" ? ["ArrowUp"] : ["ArrowRight"];
    for (const key of keys) await v.page.keyboard.down(key);
    await v.page.waitForTimeout(900);
    for (const key of keys) await v.page.keyboard.up(key);
    await v.page.waitForTimeout(700);
    const drawn = await v.page.evaluate(() => {
        const canvas = playground.view.canvas,
            data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data,
            seen = new Set();
        for (let i = 0; i < data.length; i += 4 * 97) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
        return seen.size;
    });
    check(drawn > 20, `${id}: the canvas shows ${drawn} colours`);
    if (id === "rollback") {
        await v.page.waitForFunction("playground.duelResult && playground.duelResult.frame > 30", null, {
            timeout: 60000
        });
        check(await v.run("playground.duelResult.equal"), "rollback: both machines have the same hash");
    }
    if (!folder) return;
    await v.run("document.getElementById('hint').style.display = 'none'");
    fs.writeFileSync(
        path.join(folder, id + ".png"),
        await small(v.page, await v.page.screenshot(), id === "crowd" ? 20 : 256)
    );
}

// A screenshot with few colours: the page decodes it, we write it.
async function small(page, png, most) {
    const [width, height, pixels] = await page.evaluate(
        async data => {
            const image = await createImageBitmap(await (await fetch(data)).blob()),
                canvas = new OffscreenCanvas(image.width, image.height);
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const bytes = context.getImageData(0, 0, image.width, image.height).data;
            let text = "";
            for (let i = 0; i < bytes.length; i += 32768)
                text += String.fromCharCode(...bytes.subarray(i, i + 32768));
            return [image.width, image.height, btoa(text)];
        },
        "data:image/png;base64," + png.toString("base64")
    );
    return palettePng(width, height, Buffer.from(pixels, "base64"), most);
}

async function main() {
    const chromiumAt = findChromium();
    if (!chromiumAt || !fs.existsSync(path.join(MODULES, "playwright-core"))) {
        console.log(
            `skipped: ${chromiumAt ? "playwright-core" : "Chromium"} is not installed (tools/setup.sh playground)`
        );
        console.log("0 passed, 0 failed");
        return;
    }
    const { chromium } = require(path.join(MODULES, "playwright-core"));
    const words = process.argv.slice(2),
        shots = words.indexOf("--shots");
    const folder = shots >= 0 ? path.resolve(words.splice(shots, 2)[1]) : "";
    if (folder) fs.mkdirSync(folder, { recursive: true });
    const browser = await chromium.launch({ executablePath: chromiumAt, args: ["--no-sandbox", "--disable-gpu"] });
    const page = await (
        await browser.newContext({ viewport: { width: 1120, height: 640 }, colorScheme: "dark" })
    ).newPage();
    const errors = [];
    const report = one => {
        one.on("console", message => {
            if (["error", "warning"].includes(message.type())) errors.push(message.text());
        });
        one.on("pageerror", error => errors.push(error.stack));
        return one;
    };
    const visitor = new Visitor(report(page));
    for (const [name, test] of [...Object.entries(TESTS), ...Object.entries(OTHER_PAGES)]) {
        if (words.length && !words.some(word => name.includes(word))) continue;
        try {
            await (OTHER_PAGES[name] ? test(browser, report) : test(visitor));
        } catch (error) {
            check(false, `${name}: ${error.message}`);
        }
    }
    await visitor.open("");
    const scenes = await visitor.run("[...document.querySelectorAll('#scenes option')].map(option => option.value)");
    for (const id of scenes) if (!words.length || words.includes(id)) await lookAt(visitor, id, folder);
    check(errors.length === 0, "the console is silent: " + errors.slice(0, 3).join(" / "));
    await browser.close();
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed ? 1 : 0);
}

main();
