// SARIF against the schema of the standard, with all of its keywords. HONE names the binary.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const hone = process.env.HONE ?? join(root, "target/release/hone");

/** Programs with options, the levels of what is found in them, and the least number of steps of the path. */
const PROGRAMS = [
  { file: "tests/report/calls.c", options: [], levels: ["error"], steps: 10 },
  { file: "tests/report/branches.c", options: ["--config", "value-plain"], levels: ["none"], steps: 0 },
  { file: "examples/invariant.c", options: ["--config", "predicate"], levels: ["none"], steps: 0 },
  { file: "examples/invariant.c", options: ["--config", "value", "--timeout", "1s"], levels: [], steps: 0 },
];

let validate;
before(() => {
  const json = (name) => JSON.parse(readFileSync(require.resolve(name), "utf8"));
  const ajv = new Ajv({ schemaId: "id", meta: false, allErrors: true, unknownFormats: [] });
  const meta = json("ajv/lib/refs/json-schema-draft-04.json");
  ajv.addMetaSchema(meta, meta.id);
  validate = ajv.compile(json("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"));
});

/** The document for a program. Exit codes 0, 1 and 3 are answers. */
function sarif(file, options) {
  try {
    return JSON.parse(execFileSync(hone, ["check", "--format", "sarif", ...options, file], { cwd: root, encoding: "utf8" }));
  } catch (error) {
    assert.ok([1, 3].includes(error.status), `${file}: ${error.stderr}`);
    return JSON.parse(error.stdout);
  }
}

for (const { file, options, levels, steps } of PROGRAMS) {
  test([file, ...options].join(" "), () => {
    const document = sarif(file, ["--every-check=off", ...options]);
    assert.ok(validate(document), JSON.stringify(validate.errors, null, 2));
    const found = document.runs[0].results;
    assert.deepEqual(found.map((result) => result.level), levels);
    if (steps > 0) assert.ok(found[0].codeFlows[0].threadFlows[0].locations.length >= steps);
  });
}

test("each check has a result", () => {
  const document = sarif("tests/report/calls.c", []);
  assert.ok(validate(document), JSON.stringify(validate.errors, null, 2));
  const found = document.runs[0].results;
  assert.deepEqual(found.filter((result) => result.level === "error").length, 1);
  assert.ok(found.filter((result) => result.kind === "pass").length > 2, JSON.stringify(found.map((result) => result.kind)));
});

test("what is not SARIF is refused", () => {
  const document = sarif("tests/report/calls.c", []);
  for (const spoil of [
    (d) => delete d.version,
    (d) => (d.version = "2.2.0"),
    (d) => (d.runs[0].results[0].level = "fatal"),
    (d) => (d.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0),
    (d) => delete d.runs[0].tool.driver,
    (d) => (d.runs[0].results[0].invented = 1),
  ]) {
    const spoilt = structuredClone(document);
    spoil(spoilt);
    assert.ok(!validate(spoilt), `${spoil} is not noticed`);
  }
});
