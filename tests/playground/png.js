// SPDX-License-Identifier: MIT OR Unlicense
//
// png.js: writes a picture as a small PNG with a palette.
const zlib = require("zlib");

function crc(bytes) {
    let c = 0xffffffff;
    for (const byte of bytes) {
        c ^= byte;
        for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    }
    return (c ^ 0xffffffff) >>> 0;
}

function chunk(name, data) {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]),
        out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc(body), body.length + 4);
    return out;
}

// The most frequent colours, 256 unless told, after rounding to 5 bits each; others become the nearest of them.
function palettePng(width, height, rgba, most) {
    const count = width * height,
        keys = new Uint16Array(count),
        seen = new Map();
    for (let i = 0; i < count; i++) {
        const key = ((rgba[4 * i] >> 3) << 10) | ((rgba[4 * i + 1] >> 3) << 5) | (rgba[4 * i + 2] >> 3);
        const sum = seen.get(key) || [0, 0, 0, 0];
        for (let d = 0; d < 3; d++) sum[d] += rgba[4 * i + d];
        sum[3]++;
        keys[i] = key;
        seen.set(key, sum);
    }
    const colours = [...seen]
        .sort((a, b) => b[1][3] - a[1][3])
        .slice(0, most || 256)
        .map(([, sum]) => [0, 1, 2].map(d => Math.round(sum[d] / sum[3])));
    const nearest = new Map();
    for (const [key, sum] of seen) {
        const [r, g, b] = [0, 1, 2].map(d => sum[d] / sum[3]);
        let best = 0,
            least = Infinity;
        colours.forEach((c, i) => {
            const far = (c[0] - r) ** 2 + (c[1] - g) ** 2 + (c[2] - b) ** 2;
            if (far < least) ((least = far), (best = i));
        });
        nearest.set(key, best);
    }
    const rows = Buffer.alloc((width + 1) * height);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = nearest.get(keys[y * width + x]);
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    head.set([8, 3, 0, 0, 0], 8);
    return Buffer.concat([
        Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
        chunk("IHDR", head),
        chunk("PLTE", Buffer.from(colours.flat())),
        chunk("IDAT", zlib.deflateSync(rows, { level: 9 })),
        chunk("IEND", Buffer.alloc(0))
    ]);
}

module.exports = { palettePng };
