// Stepping through the error path: position, call stack, values.

import type { Data, Row } from "./data";
import { button, count, el } from "./dom";

/** Rows between two states that are kept. */
const KEPT_EVERY = 256;
/** Rows that a click on a fold shows at most. */
const UNFOLDED = 100;

interface Frame {
  name: string;
  values: Map<string, string>;
}

interface State {
  globals: Map<string, string>;
  frames: Frame[];
}

export class Path {
  position = 0;
  private readonly kept: State[] = [];
  private readonly rows: Row[];
  private readonly bar: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly label: HTMLElement;
  private readonly what: HTMLElement;
  private readonly state: HTMLElement;
  private readonly list = document.querySelector<HTMLElement>("#path .path");

  /** `onStep` hears of each new position. */
  constructor(
    data: Data,
    private readonly onStep: (row: Row) => void,
  ) {
    this.rows = data.rows;
    this.slider = el("input", { type: "range", min: "0", max: String(this.rows.length - 1), "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.label = el("span", { class: "count" });
    this.what = el("span", { class: "what", "aria-live": "polite" });
    this.bar = el(
      "div",
      { id: "steps", role: "toolbar", "aria-label": "Steps of the error path" },
      button("⇤", "First step (Home)", () => this.go(0)),
      button("←", "Step back (p or ←)", () => this.go(this.position - 1)),
      button("→", "Step (n or →)", () => this.go(this.position + 1)),
      button("⇥", "The error (End)", () => this.go(this.rows.length - 1)),
      this.slider,
      this.label,
      this.what,
      el("small", { class: "keys" }, "keys: ← → Home End, N P over calls"),
    );
    document.querySelector("main")?.before(this.bar);
    this.state = el("div", { id: "state", tabindex: "0", "aria-label": "Call stack and values" });
    document.getElementById("source")?.append(this.state);
    this.list?.addEventListener("click", (event) => this.clicked(event));
  }

  go(position: number): void {
    if (this.rows.length === 0) return;
    this.position = Math.max(0, Math.min(this.rows.length - 1, position));
    const row = this.rows[this.position]!;
    this.slider.value = String(this.position);
    this.label.textContent = `${count(this.position + 1)} of ${count(this.rows.length)}`;
    this.what.textContent = `${row.function}: ${row.what}${row.operands ? ` (${row.operands})` : ""}`;
    this.what.className = `what ${row.kind}`;
    this.showState();
    this.showInList();
    this.onStep(row);
  }

  /** The next step that is no deeper than this one; or the one before. */
  over(direction: 1 | -1): void {
    const depth = this.rows[this.position]?.depth ?? 0;
    let at = this.position + direction;
    while (at > 0 && at < this.rows.length - 1 && this.rows[at]!.depth > depth) at += direction;
    this.go(at);
  }

  /** Goes to the next step for which `wanted` holds, from the beginning again after the last; false if there is none. */
  next(wanted: (row: Row) => boolean): boolean {
    for (let i = 1; i <= this.rows.length; i++) {
      const at = (this.position + i) % this.rows.length;
      if (wanted(this.rows[at]!)) {
        this.go(at);
        return true;
      }
    }
    return false;
  }

  private clicked(event: Event): void {
    const item = (event.target as Element).closest<HTMLElement>("li");
    if (!item) return;
    event.preventDefault();
    if (item.classList.contains("fold")) this.unfold(item);
    else if (item.dataset["row"] !== undefined) this.go(Number(item.dataset["row"]));
  }

  /** Puts rows in front of what remains of a fold. */
  private unfold(fold: HTMLElement): void {
    const [from, to] = [Number(fold.dataset["from"]), Number(fold.dataset["to"])];
    const end = Math.min(to, from + UNFOLDED);
    for (let at = from; at < end; at++) {
      const row = this.rows[at]!;
      const place = row.at ? el("a", { href: `#f${row.at[0]}l${row.at[1]}` }, this.place(row.at)) : "";
      const item = el(
        "li",
        { class: row.kind, "data-row": String(at), style: `--depth:${Math.min(12, row.depth)}` },
        el("span", { class: "at" }, place),
        el("span", { class: "fn" }, row.function),
        el("span", { class: "what" }, ...what(row)),
      );
      fold.before(item);
    }
    if (end === to) fold.remove();
    else {
      fold.dataset["from"] = String(end);
      fold.replaceChildren(el("span", {}, `… ${count(to - end)} more steps`));
    }
    this.go(from);
  }

  /** The file is clear if there is one only. */
  private place([file, line]: [number, number]): string {
    const names = document.querySelectorAll("#source nav a");
    return names.length === 1 ? `line ${line}` : `${names[file]?.textContent ?? ""}:${line}`;
  }

  private showInList(): void {
    if (!this.list) return;
    this.list.querySelectorAll("[aria-current]").forEach((item) => item.removeAttribute("aria-current"));
    let item = this.list.querySelector<HTMLElement>(`li[data-row="${this.position}"]`);
    if (!item) {
      const folds = [...this.list.querySelectorAll<HTMLElement>("li.fold")];
      const here = (fold: HTMLElement) =>
        Number(fold.dataset["from"]) <= this.position && this.position < Number(fold.dataset["to"]);
      item = folds.find(here) ?? null;
    }
    if (!item) return;
    item.setAttribute("aria-current", "step");
    const view = this.list.closest<HTMLElement>(".view");
    if (!view || view.hidden) return;
    const [outer, inner] = [view.getBoundingClientRect(), item.getBoundingClientRect()];
    if (inner.top < outer.top + 30 || inner.bottom > outer.bottom - 30) {
      view.scrollTop += inner.top - outer.top - outer.height / 2;
    }
  }

  /** The state after the step at `position`. */
  private stateAt(position: number): State {
    let at = Math.min(Math.floor(position / KEPT_EVERY), this.kept.length - 1);
    const start = this.kept[at];
    const state: State = start ? copy(start) : { globals: new Map(), frames: [] };
    for (let i = start ? at * KEPT_EVERY : 0; i <= position; i++) {
      if (i % KEPT_EVERY === 0 && this.kept.length === i / KEPT_EVERY) this.kept.push(copy(state));
      apply(state, this.rows[i]!);
    }
    return state;
  }

  private showState(): void {
    const state = this.stateAt(this.position);
    const changed = this.rows[this.position]?.set;
    const table = (title: string, values: Map<string, string>, open: boolean) => {
      const rows = [...values].map(([name, value]) => {
        const isNew = changed !== undefined && changed.target === name && (open || changed.global);
        return el("tr", isNew ? { class: "changed" } : {}, el("th", {}, name), el("td", {}, value));
      });
      const body = rows.length > 0 ? el("table", {}, ...rows) : el("p", { class: "empty" }, "no values yet");
      return el("div", { class: open ? "frame" : "frame below" }, el("h3", {}, title), body);
    };
    const frames = state.frames.map((frame, i) => table(frame.name, frame.values, i === state.frames.length - 1));
    const parts = frames.reverse();
    if (state.globals.size > 0) parts.push(table("global variables and memory", state.globals, true));
    this.state.replaceChildren(...parts);
  }
}

/** What a row says; branches as the text of the page has them. */
function what(row: Row): (Node | string)[] {
  const branch = row.kind === "branch" ? /^\[(?:(!)\((.*)\)|(.*))\]$/.exec(row.what) : null;
  if (!branch) return [el("code", {}, row.what)];
  const taken = branch[1] === undefined;
  const operands = row.operands ? [" ", el("small", {}, row.operands)] : [];
  return [el("code", {}, (taken ? branch[3] : branch[2]) ?? ""), " ", el("em", {}, String(taken)), ...operands];
}

function copy(state: State): State {
  return {
    globals: new Map(state.globals),
    frames: state.frames.map((frame) => ({ name: frame.name, values: new Map(frame.values) })),
  };
}

/** Where a variable is shown: what a function writes through a pointer may belong to one of its callers. */
function owner(state: State, frame: Frame, { target, global }: { target: string; global: boolean }): Map<string, string> {
  if (!global) return frame.values;
  const base = /^[^.[\s+-]*/.exec(target)![0];
  const belongs = (name: string) => name === target || /^[^.[\s+-]*/.exec(name)![0] === base;
  const callers = state.frames.slice(0, -1).reverse();
  return callers.find(({ values }) => [...values.keys()].some(belongs))?.values ?? state.globals;
}

/** Does to a state what a step does. */
function apply(state: State, row: Row): void {
  if (row.kind === "omitted") {
    // What happened in between is not known.
    for (const frame of state.frames) frame.values.clear();
    state.globals.clear();
    return;
  }
  state.frames.length = Math.min(state.frames.length, row.depth + 1);
  while (state.frames.length <= row.depth) state.frames.push({ name: row.function, values: new Map() });
  const frame = state.frames[row.depth]!;
  frame.name = row.function;
  if (row.set) owner(state, frame, row.set).set(row.set.target, row.set.value);
  if (row.call) state.frames.push({ name: row.call[0], values: new Map(row.call[1]) });
}
