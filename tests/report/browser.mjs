// A browser with a fresh profile, and pages that note what they ask of the network.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--force-device-scale-factor=1",
  "--font-render-hinting=none",
];

/** Calls `use` with a browser context; `options` are Playwright's. */
export async function withBrowser(options, use) {
  const profile = mkdtempSync(join(tmpdir(), "hone-report-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ARGUMENTS,
    headless: true,
    viewport: { width: 1400, height: 900 },
    ...options,
  });
  try {
    return await use(context);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** Counts the CPU time of a page's main thread, from before its document is loaded; gives a function that tells it, in milliseconds. */
export async function cpuTime(context, page) {
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
  };
  const begin = await read();
  return async () => (await read()) - begin;
}

/**
 * Opens a file; the page's `requests` are what it asked for besides itself, its `errors` what its scripts threw. `prepare` is called with the
 * page while it is empty.
 */
export async function open(context, file, prepare = async () => {}) {
  const page = await context.newPage();
  await prepare(page);
  const url = pathToFileURL(file).href;
  page.requests = [];
  page.errors = [];
  page.on("request", (request) => {
    const target = request.url();
    if (target.split("#")[0] !== url && !target.startsWith("data:")) page.requests.push(target);
  });
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.errors.push(message.text());
  });
  await page.goto(url);
  return page;
}
