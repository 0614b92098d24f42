// Bundles src/ into dist/, which is checked in. With --check: only says whether dist/ is what src/ makes.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");

const result = await build({
  absWorkingDir: here,
  entryPoints: { report: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  write: false,
  logLevel: "warning",
});

const files = new Map();
for (const file of result.outputFiles) {
  // A script element ends at its closing tag, wherever that stands.
  const text = file.text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  files.set(file.path.split(/[\\/]/).pop(), text);
}
files.set("LICENCES.txt", licences(Object.keys(result.metafile.inputs)));

let stale = false;
mkdirSync(dist, { recursive: true });
for (const [name, text] of files) {
  const path = join(dist, name);
  if (process.argv.includes("--check")) {
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
      console.error(`${path} is not what src/ makes: run npm ci && npm run build in ${here}`);
      stale = true;
    }
  } else {
    writeFileSync(path, text);
    console.log(`${name}: ${Math.ceil(text.length / 1024)} KiB`);
  }
}
process.exitCode = stale ? 1 : 0;

/** The licences of the packages that are in the bundle. */
function licences(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
    if (found) packages.add(found[1]);
  }
  const parts = [...packages].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE"].find((f) => existsSync(join(folder, f)));
    if (!file) throw new Error(`${name} has no licence file`);
    // The text stands in a comment of the page.
    const text = readFileSync(join(folder, file), "utf8").replaceAll("*/", "* /").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `This page contains the following software.\n\n${parts.join("\n")}`;
}
