// SPDX-License-Identifier: MIT OR Unlicense
//
// wasm.js: runs golden.c, built for wasm32 without a C library, in node. It asks for one function: put_line.
const fs = require("fs");

const lines = [];
let memory;
const env = {
    put_line(text, length) { lines.push(Buffer.from(memory.buffer, text, length).toString("ascii") + "\n"); },
};

WebAssembly.instantiate(fs.readFileSync(process.argv[2]), { env }).then(({ instance }) => {
    memory = instance.exports.memory;
    instance.exports.golden();
    process.stdout.write(lines.join(""));
});
