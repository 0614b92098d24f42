// Screenshots compared with kept ones, whatever the fonts: both are shrunk to a few hundred cells of grey and colour.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { PNG } from "pngjs";

const CELL = 20;

/** The mean colour of each cell of a picture. */
export function shrink(png) {
  const { width, height, data } = PNG.sync.read(png);
  const [columns, rows] = [Math.floor(width / CELL), Math.floor(height / CELL)];
  const small = new PNG({ width: columns, height: rows });
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = (row * columns + column) * 4;
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let y = 0; y < CELL; y++) {
          for (let x = 0; x < CELL; x++) sum += data[((row * CELL + y) * width + column * CELL + x) * 4 + channel];
        }
        small.data[at + channel] = Math.round(sum / (CELL * CELL));
      }
      small.data[at + 3] = 255;
    }
  }
  return small;
}

/** Mean and share of large differences between two shrunk pictures of one size. */
export function difference(a, b) {
  if (a.width !== b.width || a.height !== b.height) return { mean: 255, large: 1 };
  let [sum, large] = [0, 0];
  for (let i = 0; i < a.data.length; i += 4) {
    const cell = (Math.abs(a.data[i] - b.data[i]) + Math.abs(a.data[i + 1] - b.data[i + 1]) + Math.abs(a.data[i + 2] - b.data[i + 2])) / 3;
    sum += cell;
    if (cell > 40) large++;
  }
  const cells = a.data.length / 4;
  return { mean: sum / cells, large: large / cells };
}

/** Difference from the kept picture, which is written if UPDATE is set or there is none. */
export function compare(png, kept) {
  const small = shrink(png);
  if (process.env.UPDATE || !existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(kept, PNG.sync.write(small));
  }
  return difference(small, PNG.sync.read(readFileSync(kept)));
}

/** Mean brightness, 0 to 255. */
export function brightness(png) {
  const { data } = PNG.sync.read(png);
  let sum = 0;
  for (let i = 0; i < data.length; i += 4) sum += (data[i] + data[i + 1] + data[i + 2]) / 3;
  return sum / (data.length / 4);
}
