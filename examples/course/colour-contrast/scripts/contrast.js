#!/usr/bin/env node
// Usage: contrast.js <foreground> <background>
"use strict";

/** Relative luminance of a colour such as "767676", by WCAG 2.2. */
function luminance(colour) {
  const [red, green, blue] = [0, 2, 4].map((start) => {
    const part = parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const colours = process.argv.slice(2).map((text) => text.replace(/^#/, ""));
if (colours.length !== 2 || !colours.every((text) => /^[0-9a-f]{6}$/i.test(text))) {
  console.error("usage: contrast.js <foreground> <background> (six hexadecimal digits each)");
  process.exit(2);
}
const [dark, light] = colours.map(luminance).sort((one, two) => one - two);
const ratio = (light + 0.05) / (dark + 0.05);
const verdict =
  ratio >= 7 ? "enough for all text, with room to spare"
  : ratio >= 4.5 ? "enough for text"
  : ratio >= 3 ? "enough for large text and icons only"
  : "not enough";
// Cut, not rounded: 4.499 is below 4.5.
console.log(`${(Math.floor(ratio * 100) / 100).toFixed(2)}: ${verdict}`);
