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

/** Opens a file; the page's `requests` are what it asked for besides itself, its `errors` what its scripts threw. */
export async function open(context, file) {
  const page = await context.newPage();
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
