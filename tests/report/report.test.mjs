// report.html in a browser. HONE names the binary; CHROMIUM the browser [default: /usr/bin/chromium].

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { cpuTime, open, withBrowser } from "./browser.mjs";
import { brightness, compare, difference, shrink } from "./picture.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const hone = process.env.HONE ?? join(root, "target/release/hone");
/** A page with 10,000 states is shown, and reacts, within this CPU time of its main thread. */
const MOST_CPU_MILLISECONDS = 2000;
/** The same as wall time, of which loaded machines need more. */
const MOST_MILLISECONDS = Number(process.env.HONE_REPORT_MS ?? 6000);

let out;
before(() => (out = mkdtempSync(join(tmpdir(), "hone-report-"))));
after(() => rmSync(out, { recursive: true, force: true }));

/** Checks a program and gives the page. Exit codes 0, 1 and 3 are answers. */
function report(file, expected, ...options) {
  const folder = join(out, file.replaceAll("/", "_"));
  let text;
  try {
    text = execFileSync(hone, ["check", "--timeout", "60s", "--output", folder, ...options, file], { cwd: root, encoding: "utf8" });
  } catch (error) {
    assert.ok([1, 3].includes(error.status), `${file}: ${error.stderr}`);
    text = error.stdout;
  }
  assert.equal(text.trim().split("\n").pop(), `verdict: ${expected}`);
  return join(folder, "report.html");
}

const bug = () => report("tests/report/calls.c", "false(unreach-call)");
const proof = () => report("examples/invariant.c", "true", "--config", "predicate");

/** No request left the page, and no script failed. */
function quiet(page) {
  assert.deepEqual(page.requests, []);
  assert.deepEqual(page.errors, []);
}

const text = (page, selector) => page.locator(selector).first().innerText();

test("stepping through an error path", async () => {
  const file = bug();
  await withBrowser({}, async (context) => {
    const page = await open(context, file);
    await page.waitForSelector("html[data-ready]");
    assert.equal(await text(page, "h1"), "Violated");
    // The page begins at the error.
    assert.match(await text(page, "#steps .what"), /^main: ERROR: reach_error\(\) is called/);
    assert.match(await text(page, ".ln.current"), /reach_error\(\);/);
    assert.match(await text(page, "#state"), /a\.balance\s+125/);
    assert.match(await text(page, "#state"), /deposits\s+25/);
    await page.keyboard.press("Home");
    const first = await text(page, "#steps .what");
    assert.equal(await page.locator(".path li[aria-current]").getAttribute("data-row"), "0");
    const position = async () => Number((await text(page, "#steps .count")).split(" ")[0]);
    assert.equal(await position(), 1);
    // Into the first call: two frames, with the parameters' values.
    for (let i = 0; i < 60 && (await page.locator("#state .frame").count()) < 3; i++) await page.keyboard.press("n");
    assert.match(await text(page, "#state"), /^deposit/);
    assert.match(await text(page, "#state"), /amount\s+5/);
    assert.match(await text(page, "#state"), /to\s+&a/);
    // Over calls: back to the frame of main.
    await page.keyboard.press("Shift+N");
    const inMain = await text(page, "#steps .what");
    assert.match(inMain, /^(main|deposit): /);
    await page.keyboard.press("p");
    await page.keyboard.press("n");
    assert.equal(await text(page, "#steps .what"), inMain);
    // A click on a row, on a fold, and on a line.
    await page.locator(".path li.error").click();
    assert.match(await text(page, "#steps .what"), /ERROR/);
    const rows = await page.locator(".path li").count();
    await page.locator(".path li.fold").first().click();
    assert.ok((await page.locator(".path li").count()) > rows);
    await page.locator(".ln", { hasText: "deposits++" }).click();
    assert.match(await text(page, "#steps .what"), /deposits = /);
    await page.getByRole("button", { name: /First step/ }).click();
    assert.equal(await text(page, "#steps .what"), first);
    quiet(page);
  });
});

test("abstract states of a violation, with the error path", async () => {
  const file = report("tests/report/calls.c", "false(unreach-call)", "--config", "value", "--checks", "assertions");
  await withBrowser({}, async (context) => {
    const page = await open(context, file);
    await page.getByRole("tab", { name: /Abstract states/ }).click();
    assert.ok((await page.locator(".node.path").count()) > 2);
    assert.equal(await page.locator(".node.target").count(), 1);
    // The target lies far below; the picture begins at the root.
    await page.locator(".node.path").first().click();
    assert.match(await text(page, ".detail"), /State\s+0, expanded, in /);
    assert.ok((await page.locator(".ln.selected").count()) >= 1);
    quiet(page);
  });
});

test("the automaton follows the path", async () => {
  const file = bug();
  await withBrowser({}, async (context) => {
    const page = await open(context, file);
    await page.getByRole("tab", { name: "Automaton" }).click();
    assert.equal(await page.getByLabel("Function").inputValue(), "main");
    assert.ok((await page.locator(".edge.taken").count()) > 3);
    assert.equal(await page.locator(".edge.current").count(), 1);
    await page.keyboard.press("Home");
    for (let i = 0; i < 60 && (await page.getByLabel("Function").inputValue()) !== "deposit"; i++) {
      await page.keyboard.press("n");
    }
    assert.equal(await page.getByLabel("Function").inputValue(), "deposit");
    // From a line to the picture, and from the picture to the line.
    await page.locator(".ln", { hasText: "deposits++" }).click();
    assert.ok((await page.locator(".node.selected").count()) === 1);
    await page.locator(".ln", { hasText: "amount > 5" }).click();
    assert.equal(await page.getByLabel("Function").inputValue(), "main");
    await page.locator(".node.entry").click();
    assert.ok((await page.locator(".ln.selected").count()) >= 1);
    quiet(page);
  });
});

test("abstract states, the source, and back", async () => {
  const file = proof();
  await withBrowser({}, async (context) => {
    const page = await open(context, file);
    assert.equal(await text(page, "h1"), "Proved");
    assert.match(await text(page, ".ln + .note.invariant, .note.invariant"), /invariant/);
    await page.getByRole("tab", { name: /Abstract states/ }).click();
    const nodes = await page.locator(".graph svg .node").count();
    assert.ok(nodes >= 3);
    // A click on a state shows its line and what is known of it.
    const states = JSON.parse(readFileSync(join(dirname(file), "arg.json"), "utf8")).nodes;
    const number = states.findIndex((node) => (node.holds ?? []).length > 0 && node.place);
    await page.locator(`.node[data-id="n${number}"]`).click();
    const line = Number(states[number].place.split(":").at(-2));
    assert.equal(await page.locator(".ln.selected .no").innerText(), String(line));
    assert.ok((await text(page, ".detail")).includes(states[number].holds[0]));
    // A click on that line leads back, to each of its states in turn.
    const there = states.filter((node) => node.place && Number(node.place.split(":").at(-2)) === line).length;
    const seen = new Set();
    for (let i = 0; i < there; i++) {
      await page.locator(".ln.selected code").click();
      seen.add(await page.locator(".node.selected").getAttribute("data-id"));
    }
    assert.ok(seen.has(`n${number}`));
    // Search.
    await page.keyboard.press("/");
    await page.keyboard.type("main");
    await page.keyboard.press("Enter");
    assert.match(await text(page, ".graph:visible .count"), /^1 of \d+$/);
    assert.ok((await page.locator(".node.match").count()) >= 2);
    await page.keyboard.press("Enter");
    assert.match(await text(page, ".graph:visible .count"), /^2 of \d+$/);
    // The keyboard moves between states.
    await page.keyboard.press("Escape");
    await page.keyboard.press("0");
    const before = await page.locator(".node.selected").getAttribute("data-id");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.notEqual(await page.locator(".node.selected").getAttribute("data-id"), before);
    quiet(page);
  });
});

test("ten thousand states", async (context_) => {
  const file = report("tests/report/branches.c", "true", "--config", "value-plain");
  const { nodes } = JSON.parse(readFileSync(join(dirname(file), "arg.json"), "utf8"));
  assert.ok(nodes.length >= 10_000, `${nodes.length} nodes`);
  await withBrowser({}, async (context) => {
    // Starting the browser is not what is measured.
    await (await open(context, proof())).close();
    const begin = performance.now();
    let cpu;
    const page = await open(context, file, async (page) => (cpu = await cpuTime(context, page)));
    await page.getByRole("tab", { name: /Abstract states/ }).click();
    await page.locator(".node").first().waitFor();
    const opened = performance.now() - begin;
    await page.locator(".node.fold").first().dispatchEvent("click");
    await page.getByRole("searchbox", { name: /States/ }).fill("i = 2099");
    await page.getByRole("searchbox", { name: /States/ }).press("Enter");
    assert.match(await page.locator(".node.selected").textContent(), /i = 2099/);
    const all = performance.now() - begin;
    const busy = await cpu();
    const drawn = await page.locator(".node").count();
    assert.ok(drawn < 400, `${drawn} nodes are drawn`);
    context_.diagnostic(`${nodes.length} states: shown after ${opened.toFixed(0)} ms; opened a fold and found one after ${all.toFixed(0)} ms, ${busy.toFixed(0)} ms of CPU time`);
    assert.ok(busy > 0 && busy < MOST_CPU_MILLISECONDS, `${busy} ms of CPU time`);
    assert.ok(all < MOST_MILLISECONDS, `${all} ms`);
    quiet(page);
  });
});

test("light and dark look as they did", async () => {
  const files = { path: bug(), proof: proof() };
  for (const colorScheme of ["light", "dark"]) {
    await withBrowser({ colorScheme }, async (context) => {
      for (const [name, file] of Object.entries(files)) {
        const page = await open(context, file);
        await page.waitForSelector("html[data-ready]");
        if (name === "proof") await page.getByRole("tab", { name: /Abstract states/ }).click();
        const picture = await page.screenshot();
        const light = brightness(picture);
        assert.ok(colorScheme === "light" ? light > 190 : light < 80, `${name}, ${colorScheme}: ${light}`);
        const found = compare(picture, join(here, "pictures", `${name}-${colorScheme}.png`));
        assert.ok(found.mean < 8 && found.large < 0.08, `${name}, ${colorScheme}: ${JSON.stringify(found)}`);
        quiet(page);
        await page.close();
      }
    });
  }
});

test("a step there and back shows the same picture", async () => {
  const file = bug();
  await withBrowser({}, async (context) => {
    const page = await open(context, file);
    await page.waitForSelector("html[data-ready]");
    await page.keyboard.press("Home");
    const picture = async () => shrink(await page.screenshot());
    const before = await picture();
    for (let i = 0; i < 3; i++) await page.keyboard.press("n");
    assert.ok(difference(before, await picture()).mean > 0);
    for (let i = 0; i < 3; i++) await page.keyboard.press("p");
    assert.ok(difference(before, await picture()).mean < 0.2);
  });
});

test("without scripts the text is there", async () => {
  const files = [bug(), proof()];
  await withBrowser({ javaScriptEnabled: false }, async (context) => {
    const page = await open(context, files[0]);
    assert.ok(await page.getByRole("heading", { name: "Violated" }).isVisible());
    assert.ok(await page.locator(".path li.error").isVisible());
    assert.ok(await page.locator(".ln", { hasText: "deposits++" }).isVisible());
    assert.match(await text(page, ".path"), /… \d+ iterations/);
    await page.locator(".path li.error a").click();
    assert.match(page.url(), /#f0l\d+$/);
    quiet(page);
    await page.close();
    const other = await open(context, files[1]);
    assert.ok(await other.locator(".note.invariant").first().isVisible());
    quiet(other);
  });
});

test("small windows and print do not cut the text", async () => {
  const file = bug();
  await withBrowser({ viewport: { width: 600, height: 800 } }, async (context) => {
    const page = await open(context, file);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 600, `${wide} pixels`);
  });
});
