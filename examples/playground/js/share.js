// SPDX-License-Identifier: MIT OR Unlicense
//
// share.js: a level as text for the address: JSON, deflated, in the letters that addresses may have.

async function pumped(bytes, stream) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function levelToText(level) {
    const bytes = await pumped(
        new TextEncoder().encode(JSON.stringify(packLevel(level))),
        new CompressionStream("deflate")
    );
    return btoa(String.fromCharCode(...bytes))
        .replace(/\+/g, "-")
        .replace(/\//g, "_")
        .replace(/=+$/, "");
}

// null if the text is no level.
async function textToLevel(text) {
    try {
        const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
        const bytes = await pumped(
            Uint8Array.from(letters, c => c.charCodeAt(0)),
            new DecompressionStream("deflate")
        );
        return unpackLevel(JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
        return null;
    }
}
