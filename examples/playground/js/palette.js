// SPDX-License-Identifier: MIT OR Unlicense
//
// palette.js: the colours of kin_debug_draw, and what goes with them in dark and in light; the icons.

const COLOURS = {
    static: "#A0A0A0",
    oneWay: "#40E0D0",
    mover: "#50A0FF",
    pushable: "#FFB040",
    unpushable: "#60D060",
    intangible: "#C080FF",
    sensor: "#E0E040",
    velocity: "#FFFFFF",
    contact: "#FF4040",
    stable: "#40FF40",
    steep: "#FF8000"
};

const THEMES = {
    dark: {
        top: "#1b2434",
        bottom: "#0e1219",
        grid: "#ffffff0a",
        solid: "#39424f",
        edge: "#a0a0a0",
        outline: "#00000066",
        velocity: "#ffffff",
        ink: "#11161f",
        shine: "#ffffff30",
        path: "#50a0ff66",
        coin: "#e0e040",
        hills: ["#182130", "#1c2738"],
        star: "#ffffff70"
    },
    light: {
        top: "#dfe8f6",
        bottom: "#f6f8fc",
        grid: "#0000000b",
        solid: "#b4bcc9",
        edge: "#6d7686",
        outline: "#00000055",
        velocity: "#202632",
        ink: "#1a2230",
        shine: "#ffffff66",
        path: "#2c7be08a",
        coin: "#dcb400",
        hills: ["#d3deee", "#c8d5e8"],
        star: "#5c77a850"
    }
};

// Overlays: the layers of kin_debug_draw_options.
const OVERLAYS = [
    { id: "shapes", label: "Shapes", colour: COLOURS.static, layer: 1 },
    { id: "velocity", label: "Velocities", colour: "#cfd6e4", layer: 8 },
    { id: "ground", label: "Ground", colour: COLOURS.stable, layer: 4 },
    { id: "contacts", label: "Contacts and normals", colour: COLOURS.contact, layer: 2 },
    { id: "sensors", label: "Sensors", colour: COLOURS.sensor, layer: 32 },
    { id: "bounds", label: "Broad phase", colour: "#808080", layer: 16 },
    { id: "near", label: "Surroundings that are kept", colour: "#606060", layer: 64 }
];
const LAYERS_OF_SELECTED = 2 | 4 | 8;

function layersOf(overlays) {
    return OVERLAYS.reduce((layers, overlay) => (overlays[overlay.id] ? layers | overlay.layer : layers), 0);
}

// Lines of debug draw by colour; add puts one of them into a path.
function debugPaths(game, layers, slot, floats, add) {
    const list = game.list("play_debug_lines", layers, slot),
        paths = new Map();
    for (let i = 0; i < list.length; i += floats + 4) {
        const [r, g, b, a] = [0, 1, 2, 3].map(k => list[i + floats + k]),
            colour = `rgb(${r} ${g} ${b} / ${a / 255})`;
        let path = paths.get(colour);
        if (!path) paths.set(colour, (path = new Path2D()));
        add(path, list, i);
    }
    return paths;
}

// White is for dark pages.
function debugColour(colour, theme) {
    return colour.startsWith("rgb(255 255 255") ? theme.velocity : colour;
}

function svg(path, more) {
    return `<svg viewBox="0 0 24 24" ${more || ""}>${path}</svg>`;
}

const ICONS = {
    restart: svg('<path d="M12 5V1L6.5 6 12 11V7a5.5 5.5 0 1 1-5.5 5.5h-2A7.5 7.5 0 1 0 12 5z"/>'),
    rewind: svg('<path d="M12 5v14L3 12zM21 5v14l-9-7z"/>'),
    pause: svg('<path d="M6 5h4v14H6zM14 5h4v14h-4z"/>'),
    play: svg('<path d="M7 4v16l13-8z"/>'),
    single: svg('<path d="M5 5v14l9-7zM16 5h3v14h-3z"/>'),
    slow: svg(
        '<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2.2a6.8 6.8 0 1 1 0 13.6 6.8 6.8 0 0 1' +
            ' 0-13.6zM11 7h2v5.2l3.6 2.2-1 1.7L11 13.2z"/>'
    ),
    edit: svg(
        '<path d="M4 17.2V20h2.8L17 9.8 14.2 7zM19.7 7.1a.9.9 0 0 0 0-1.2l-1.6-1.6a.9.9 0 0 0-1.2 0L15.5' +
            ' 5.7l2.8 2.8z"/>'
    ),
    share: svg(
        '<path d="M18 15.5a3 3 0 0 0-2.1.9L8.9 12.6a3 3 0 0 0 0-1.2l7-3.8A3 3 0 1 0 15 5.5a3 3 0 0 0' +
            ' .1.7l-7 3.8a3 3 0 1 0 0 4l7 3.8A3 3 0 1 0 18 15.5z"/>'
    ),
    theme: svg('<path d="M12 3a9 9 0 1 0 0 18zm1 0v18a9 9 0 0 0 0-18z" fill-rule="evenodd"/>'),
    more: svg('<path d="M4 6h16v2.2H4zM4 11h16v2.2H4zM4 16h16v2.2H4z"/>')
};

// Icons of the tools: what the thing looks like.
const TOOL_ICONS = {
    select: svg('<path d="M6 3l13 9.5-6 .8 3.5 6.2-2.6 1.4L10.5 14.7 6 19z" fill="currentColor"/>'),
    erase: svg(
        '<path d="M5 15l8-9 6 5-7 8H8z" fill="#ff8080"/>' +
            '<path d="M4 20.5h16" stroke="currentColor" stroke-width="1.5"/>'
    ),
    solid: svg('<rect x="4" y="4" width="16" height="16" rx="1.5" fill="#8a93a3"/>'),
    "slope up": svg('<path d="M3 20h18V4z" fill="#8a93a3"/>'),
    "slope down": svg('<path d="M3 20h18L3 4z" fill="#8a93a3"/>'),
    "low slope up": svg('<path d="M2 20h20v-9z" fill="#8a93a3"/>'),
    "low slope down": svg('<path d="M2 20h20L2 11z" fill="#8a93a3"/>'),
    "one-way": svg(
        '<rect x="3" y="8" width="18" height="4" rx="1" fill="#40E0D0"/>' +
            '<path d="M12 21v-6m-3 3l3-3 3 3" stroke="#40E0D0" fill="none" stroke-width="1.6"/>'
    ),
    "belt right": svg(
        '<rect x="3" y="8" width="18" height="8" rx="4" fill="#8a93a3"/>' +
            '<path d="M8 10l2 2-2 2m4-4l2 2-2 2" stroke="#fff" fill="none" stroke-width="1.5"/>'
    ),
    "belt left": svg(
        '<rect x="3" y="8" width="18" height="8" rx="4" fill="#8a93a3"/>' +
            '<path d="M12 10l-2 2 2 2m4-4l-2 2 2 2" stroke="#fff" fill="none" stroke-width="1.5"/>'
    ),
    spikes: svg('<path d="M3 20l3-10 3 10 3-10 3 10 3-10 3 10z" fill="#ff4040"/>'),
    box: svg('<rect x="3" y="8" width="18" height="8" rx="1" fill="#8a93a3" transform="rotate(-12 12 12)"/>'),
    ledge: svg('<rect x="2" y="10" width="20" height="3" rx="1.5" fill="#40E0D0"/>'),
    lift: svg(
        '<rect x="4" y="12" width="16" height="5" rx="1.5" fill="#50A0FF"/>' +
            '<path d="M12 10V3m-3 3l3-3 3 3" stroke="#50A0FF" fill="none" stroke-width="1.6"/>'
    ),
    door: svg(
        '<rect x="9" y="3" width="6" height="18" rx="1.5" fill="#50A0FF"/>' +
            '<circle cx="12" cy="12" r="1.6" fill="#fff"/>'
    ),
    plate: svg('<rect x="4" y="14" width="16" height="4" rx="2" fill="#E0E040"/>'),
    wheel: svg(
        '<path d="M12 3v18M3 12h18" stroke="#50A0FF" stroke-width="4" stroke-linecap="round"/>' +
            '<circle cx="12" cy="12" r="4" fill="#50A0FF"/>'
    ),
    pendulum: svg(
        '<path d="M8 3l6 12" stroke="#50A0FF" stroke-width="1.8"/>' +
            '<circle cx="15" cy="17" r="4.5" fill="#50A0FF"/>'
    ),
    belt: svg(
        '<rect x="2" y="8" width="20" height="8" rx="4" fill="#8a93a3"/>' +
            '<path d="M6 10l2 2-2 2m5-4l2 2-2 2m5-4l2 2-2 2" stroke="#fff" fill="none" stroke-width="1.5"/>'
    ),
    crusher: svg('<path d="M5 3h14v11l-2.3 4-2.4-4-2.3 4-2.3-4-2.4 4L5 14z" fill="#50A0FF"/>'),
    crate: svg(
        '<rect x="4" y="4" width="16" height="16" rx="2" fill="#FFB040"/>' +
            '<path d="M6 6l12 12M18 6L6 18" stroke="#8a5a10" stroke-width="1.6"/>'
    ),
    ball: svg('<circle cx="12" cy="12" r="8" fill="#FFB040"/>'),
    foe: svg(
        '<rect x="4" y="6" width="16" height="14" rx="4" fill="#FF4040"/>' +
            '<circle cx="9" cy="12" r="2" fill="#fff"/><circle cx="15" cy="12" r="2" fill="#fff"/>'
    ),
    coin: svg(
        '<circle cx="12" cy="12" r="7" fill="#E0E040"/>' +
            '<circle cx="12" cy="12" r="4" fill="none" stroke="#8a8a10" stroke-width="1.4"/>'
    ),
    goal: svg(
        '<rect x="5" y="5" width="14" height="14" rx="2" fill="none" stroke="#E0E040" stroke-width="2"' +
            ' stroke-dasharray="4 2.6"/>'
    ),
    flag: svg(
        '<path d="M6 2v20" stroke="currentColor" stroke-width="1.8"/>' + '<path d="M7 3l12 4-12 4z" fill="#60D060"/>'
    ),
    planet: svg(
        '<circle cx="12" cy="12" r="9" fill="#50A0FF"/><circle cx="9" cy="9" r="2" fill="#3a78c8"/>' +
            '<circle cx="15" cy="14" r="2.6" fill="#3a78c8"/>'
    ),
    crowd: svg(
        '<g fill="#FFB040"><circle cx="6" cy="8" r="2.6"/><circle cx="13" cy="6" r="2.6"/>' +
            '<circle cx="18" cy="12" r="2.6"/><circle cx="10" cy="13" r="2.6"/><circle cx="6" cy="18" r="2.6"/>' +
            '<circle cx="15" cy="18" r="2.6"/></g>'
    ),
    hero: svg(
        '<rect x="7" y="3" width="10" height="18" rx="5" fill="#60D060"/>' +
            '<circle cx="11" cy="9" r="1.5" fill="#11161f"/><circle cx="15" cy="9" r="1.5" fill="#11161f"/>'
    )
};
