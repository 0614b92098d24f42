// A picture of a graph: laid out by dagre, drawn as SVG, to zoom, search and click. Large graphs are folded (fold.ts), so
// that layout takes the same time whatever their size.

import { graphlib, layout } from "@dagrejs/dagre";
import { select } from "d3-selection";
import { zoom, zoomIdentity, type ZoomBehavior } from "d3-zoom";
import type { At } from "./data";
import { button, count, el, svg } from "./dom";
import { type Fold, Folding } from "./fold";

export interface GraphNode {
  lines: string[];
  className: string;
  at: At;
  /** For screen readers, and what a search looks at. */
  text: string;
}

export interface GraphEdge {
  from: number;
  to: number;
  lines: string[];
  className: string;
  places: At[];
  /** Edges of the program that it stands for. */
  ids: number[];
}

export interface Model {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Word for a node, in the plural. */
  noun: string;
  special: (node: number) => boolean;
}

/** What the user chose. */
export type Chosen = { node: number } | { edge: GraphEdge };

const LINE = 15;
const PAD = 8;
const MAX_LINES = 8;
const MAX_CHARS = 46;
/** Room for the line of a loop in front of its label. */
const LOOP = 28;

export class GraphView {
  readonly element: HTMLElement;
  private readonly root: SVGSVGElement;
  private readonly stage: SVGGElement;
  private readonly zoom: ZoomBehavior<SVGSVGElement, unknown>;
  private readonly input: HTMLInputElement;
  private readonly found: HTMLElement;
  private readonly charWidth: number;
  private model: Model | null = null;
  private folding: Folding | null = null;
  private drawn = new Map<string, SVGGElement>();
  private centres = new Map<string, { x: number; y: number }>();
  private edges: { edge: GraphEdge; element: SVGGElement }[] = [];
  private matches: number[] = [];
  /** What a search looks at; made when there is one. */
  private texts: string[] | null = null;
  private match = -1;
  private selected = -1;
  private marked: Set<number> = new Set();
  private extent = { width: 1, height: 1 };

  /** `onChoose` hears of clicks. `extra` stands in front of the tools. */
  constructor(
    name: string,
    private readonly onChoose: (chosen: Chosen) => void,
    extra: HTMLElement[] = [],
  ) {
    this.root = svg("svg", { role: "group", "aria-label": name, tabindex: 0 });
    const defs = svg("defs");
    for (const kind of ["plain", "taken", "current"]) {
      const shape = svg("path", { d: "M0,0L8,4L0,8z", class: `arrow ${kind}` });
      const marker = { id: `${name}-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, orient: "auto" };
      defs.append(svg("marker", { ...marker, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse" }, shape));
    }
    this.stage = svg("g");
    this.root.append(defs, this.stage);
    this.zoom = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.02, 4])
      .on("zoom", (event: { transform: { toString(): string } }) => {
        this.stage.setAttribute("transform", event.transform.toString());
      });
    select(this.root).call(this.zoom).on("dblclick.zoom", null);
    this.input = el("input", { type: "search", placeholder: "Search (/)", "aria-label": `Search: ${name}` });
    this.input.addEventListener("input", () => this.search(this.input.value));
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.toMatch(this.match + (event.shiftKey ? -1 : 1));
      if (event.key === "Escape") this.root.focus();
    });
    this.found = el("span", { class: "count", "aria-live": "polite" });
    const tools = el(
      "div",
      { class: "tools", role: "toolbar", "aria-label": name },
      ...extra,
      this.input,
      this.found,
      button("+", "Larger (+)", () => this.scale(1.4)),
      button("−", "Smaller (-)", () => this.scale(1 / 1.4)),
      button("⤢", "Whole picture (0)", () => this.fit()),
      button("↺", "As in the beginning", () => this.reset()),
    );
    this.element = el("div", { class: "graph" }, tools);
    this.element.append(this.root);
    this.root.addEventListener("click", (event) => this.clicked(event.target as Element));
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.charWidth = measure();
  }

  show(model: Model): void {
    this.model = model;
    this.folding = new Folding({ size: model.nodes.length, edges: model.edges, special: model.special });
    this.selected = -1;
    this.marked = new Set();
    this.texts = null;
    this.search(this.input.value);
    this.draw();
    this.start();
  }

  get nodes(): GraphNode[] {
    return this.model?.nodes ?? [];
  }

  /** Brings a node into view and marks it. */
  focus(node: number): void {
    if (!this.model || node < 0 || node >= this.model.nodes.length) return;
    this.selected = node;
    if (this.folding!.reveal(node)) this.draw();
    else this.mark();
    this.centre(`n${node}`);
  }

  /** Marks edges of the program: those that the path takes, and those of the current step. */
  markEdges(taken: Set<number>, current: number[]): void {
    let centre: SVGGElement | null = null;
    for (const { edge, element } of this.edges) {
      const now = edge.ids.some((id) => current.includes(id));
      element.classList.toggle("taken", edge.ids.some((id) => taken.has(id)));
      element.classList.toggle("current", now);
      if (now) centre = element;
    }
    if (centre) this.intoView(centre);
  }

  /** Marks nodes without choosing one. */
  markNodes(nodes: number[]): void {
    this.marked = new Set(nodes);
    this.mark();
  }

  focusSearch(): void {
    this.input.focus();
    this.input.select();
  }

  private reset(): void {
    this.folding?.reset();
    this.draw();
    this.start();
  }

  private search(text: string): void {
    const wanted = text.trim().toLowerCase();
    this.matches = [];
    if (wanted !== "") {
      this.texts ??= (this.model?.nodes ?? []).map((node) => node.text.toLowerCase());
      this.texts.forEach((text, i) => {
        if (text.includes(wanted)) this.matches.push(i);
      });
    }
    this.match = -1;
    this.found.textContent = wanted === "" ? "" : `${count(this.matches.length)} found`;
    this.mark();
  }

  private toMatch(to: number): void {
    const n = this.matches.length;
    if (n === 0) return;
    this.match = ((to % n) + n) % n;
    this.found.textContent = `${count(this.match + 1)} of ${count(n)}`;
    const node = this.matches[this.match]!;
    this.focus(node);
    this.onChoose({ node });
  }

  private draw(): void {
    const { model, folding } = this;
    if (!model || !folding) return;
    const { folds, of } = folding.folds();
    const graph = new graphlib.Graph({ multigraph: true });
    graph.setGraph({ rankdir: "TB", nodesep: 26, ranksep: 34, edgesep: 14, marginx: 12, marginy: 12 });
    const boxes = new Map<string, { lines: string[]; className: string; label: string; fold?: Fold }>();
    model.nodes.forEach((node, i) => {
      if (folding.visible[i]) {
        boxes.set(`n${i}`, { lines: shorten(node.lines), className: `node ${node.className}`, label: node.text });
      }
    });
    folds.forEach((fold, i) => {
      const text = `… ${count(fold.nodes.length)} ${fold.nodes.length === 1 ? model.noun.replace(/s$/, "") : model.noun}`;
      boxes.set(`f${i}`, { lines: [text], className: "node fold", label: `${text} hidden; opens`, fold });
    });
    for (const [id, box] of boxes) graph.setNode(id, this.size(box.lines, PAD));
    const name = (node: number) => (of[node] === -1 ? `n${node}` : `f${of[node]}`);
    const lines: { edge: GraphEdge; from: string; to: string; key: string }[] = [];
    const known = new Set<string>();
    model.edges.forEach((edge, i) => {
      const [from, to] = [name(edge.from), name(edge.to)];
      const hidden = from.startsWith("f") || to.startsWith("f");
      // Of many edges from or to hidden nodes, one is drawn.
      if (hidden && (from === to || known.has(`${from} ${to}`))) return;
      known.add(`${from} ${to}`);
      const label = hidden ? { width: 0, height: 0 } : this.size(shorten(edge.lines), 2);
      if (from === to && label.width > 0) label.width += LOOP;
      const back = edge.className === "cover";
      graph.setEdge(from, to, { ...label, labelpos: "c", weight: back ? 0 : 1 }, String(i));
      lines.push({ edge: hidden ? { ...edge, lines: [] } : edge, from, to, key: String(i) });
    });
    layout(graph);
    const { width = 1, height = 1 } = graph.graph() as { width?: number; height?: number };
    this.extent = { width: Math.max(1, width), height: Math.max(1, height) };
    this.drawn.clear();
    this.centres.clear();
    this.edges = [];
    const parts: SVGGElement[] = [];
    for (const { edge, from, to, key } of lines) {
      const placed = graph.edge({ v: from, w: to, name: key }) as {
        points: { x: number; y: number }[];
        x?: number;
        y?: number;
      };
      const box = graph.node(from) as { x: number; y: number; width: number; height: number };
      // The line of a loop stands between its node and its label.
      if (from === to && placed.x !== undefined && edge.lines.length > 0) placed.x += LOOP / 2;
      const element = this.line(edge, placed, from === to ? around(box, placed, this.size(shorten(edge.lines), 2)) : null);
      this.edges.push({ edge, element });
      parts.push(element);
    }
    for (const [id, box] of boxes) {
      const { x, y, width, height } = graph.node(id) as { x: number; y: number; width: number; height: number };
      const element = svg("g", {
        class: box.className,
        transform: `translate(${x - width / 2},${y - height / 2})`,
        role: "button",
        "aria-label": box.label.slice(0, 300),
        "data-id": id,
      });
      element.append(svg("rect", { width, height, rx: box.fold ? height / 2 : 4 }));
      box.lines.forEach((line, i) => {
        const first = i === 0 && !box.fold ? "name" : "fact";
        const at = { x: box.fold ? width / 2 : PAD, y: PAD + LINE * (i + 1) - 4.5, class: first };
        element.append(svg("text", box.fold ? { ...at, "text-anchor": "middle" } : at, line));
      });
      this.drawn.set(id, element);
      this.centres.set(id, { x, y });
      if (box.fold) element.dataset["fold"] = id.slice(1);
      parts.push(element);
    }
    this.stage.replaceChildren(...parts);
    this.mark();
  }

  private line(
    edge: GraphEdge,
    placed: { points: { x: number; y: number }[]; x?: number; y?: number },
    loop: string | null,
  ): SVGGElement {
    const element = svg("g", { class: `edge ${edge.className}` });
    const end = `url(#${this.root.getAttribute("aria-label")}-plain)`;
    element.append(svg("path", { d: loop ?? curve(placed.points), "marker-end": end }));
    const lines = shorten(edge.lines);
    if (lines.length > 0 && placed.x !== undefined && placed.y !== undefined) {
      const top = placed.y - (lines.length * LINE) / 2;
      const { width, height } = this.size(lines, 0);
      const back = { x: placed.x - width / 2 - 2, y: top, width: width + 4, height, rx: 3 };
      element.append(svg("rect", back));
      lines.forEach((line, i) => {
        element.append(svg("text", { x: placed.x!, y: top + LINE * (i + 1) - 4.5, "text-anchor": "middle" }, line));
      });
    }
    return element;
  }

  private size(lines: string[], pad: number): { width: number; height: number } {
    const chars = Math.max(0, ...lines.map((line) => line.length));
    if (chars === 0) return { width: 0, height: 0 };
    return { width: chars * this.charWidth + 2 * pad, height: lines.length * LINE + 2 * pad };
  }

  private mark(): void {
    const matches = new Set(this.matches);
    for (const [id, element] of this.drawn) {
      const node = id.startsWith("n") ? Number(id.slice(1)) : -1;
      element.classList.toggle("selected", node !== -1 && node === this.selected);
      element.classList.toggle("match", matches.has(node));
      element.classList.toggle("marked", this.marked.has(node));
    }
  }

  private clicked(target: Element): void {
    const node = target.closest<SVGGElement>(".node");
    if (node) {
      this.choose(node.dataset["id"]!);
      return;
    }
    const line = target.closest<SVGGElement>(".edge");
    const edge = line && this.edges.find((candidate) => candidate.element === line)?.edge;
    if (edge) this.onChoose({ edge });
  }

  private choose(id: string): void {
    if (id.startsWith("f")) {
      const fold = this.folding!.folds().folds[Number(id.slice(1))];
      if (!fold) return;
      const first = fold.nodes[0]!;
      // What is above the fold stays where it is.
      const before = this.centres.get(`n${fold.above}`);
      this.folding!.open(fold);
      this.selected = first;
      this.draw();
      const after = this.centres.get(`n${fold.above}`);
      if (before && after) this.zoom.translateBy(select(this.root), before.x - after.x, before.y - after.y);
      return;
    }
    this.selected = Number(id.slice(1));
    this.mark();
    this.onChoose({ node: this.selected });
  }

  private key(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = {
      "+": () => this.scale(1.4),
      "=": () => this.scale(1.4),
      "-": () => this.scale(1 / 1.4),
      "0": () => this.fit(),
      ArrowDown: () => this.move(0, 1),
      ArrowUp: () => this.move(0, -1),
      ArrowLeft: () => this.move(-1, 0),
      ArrowRight: () => this.move(1, 0),
      Enter: () => {
        const { of } = this.folding!.folds();
        const below = this.folding!.children[this.selected]?.find((child) => of[child] !== -1);
        if (below !== undefined) this.choose(`f${of[below]}`);
      },
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }

  /** Chooses the nearest visible node in a direction. */
  private move(dx: number, dy: number): void {
    const from = this.centres.get(`n${this.selected}`);
    let best: string | null = from ? null : "n0";
    let least = Infinity;
    for (const [id, { x, y }] of this.centres) {
      if (!from || id.startsWith("f")) continue;
      const [along, across] = dy !== 0 ? [(y - from.y) * dy, x - from.x] : [(x - from.x) * dx, y - from.y];
      const distance = along + 2 * Math.abs(across);
      if (along > 1 && distance < least) [best, least] = [id, distance];
    }
    if (!best) return;
    this.choose(best);
    this.centre(best);
  }

  private scale(by: number): void {
    this.zoom.scaleBy(select(this.root), by);
  }

  private view(): { width: number; height: number } {
    const { width, height } = this.root.getBoundingClientRect();
    return { width: Math.max(1, width), height: Math.max(1, height) };
  }

  /** The whole picture. */
  fit(): void {
    const view = this.view();
    const k = Math.min(1.2, view.width / this.extent.width, view.height / this.extent.height);
    const x = (view.width - this.extent.width * k) / 2;
    const y = Math.max(0, (view.height - this.extent.height * k) / 2);
    this.zoom.transform(select(this.root), zoomIdentity.translate(x, y).scale(k));
  }

  /** The whole picture if that can be read, otherwise its top. */
  start(): void {
    const view = this.view();
    const whole = Math.min(view.width / this.extent.width, view.height / this.extent.height);
    if (whole > 0.65) {
      this.fit();
      return;
    }
    const k = Math.max(0.65, Math.min(1, view.width / this.extent.width));
    const top = this.centres.get("n0")?.x ?? this.extent.width / 2;
    const [width, x] = [this.extent.width * k, view.width / 2 - top * k];
    // Nothing is cut at one side while there is room at the other.
    const inside = width <= view.width ? (view.width - width) / 2 : Math.min(0, Math.max(view.width - width, x));
    this.zoom.transform(select(this.root), zoomIdentity.translate(inside, 0).scale(k));
  }

  private centre(id: string): void {
    const centre = this.centres.get(id);
    if (centre) this.zoom.translateTo(select(this.root), centre.x, centre.y);
  }

  private intoView(element: SVGGElement): void {
    const [outer, inner] = [this.root.getBoundingClientRect(), element.getBoundingClientRect()];
    const [x, y] = [inner.x + inner.width / 2, inner.y + inner.height / 2];
    if (x > outer.left + 20 && x < outer.right - 20 && y > outer.top + 20 && y < outer.bottom - 20) return;
    const box = element.getBBox();
    this.zoom.translateTo(select(this.root), box.x + box.width / 2, box.y + box.height / 2);
  }
}

/** Lines that fit into a box. */
function shorten(lines: string[]): string[] {
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), `… ${lines.length - MAX_LINES + 1} more`] : lines;
  return shown.map((line) => (line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS - 1)}…` : line));
}

/** A line from the right side of a box back to it, up to the left end of its label. */
function around(
  box: { x: number; y: number; width: number; height: number },
  label: { x?: number },
  size: { width: number; height: number },
): string {
  const right = box.x + box.width / 2;
  const reach = Math.max(24, (label.x ?? right) - size.width / 2 - right - 4) / 0.75;
  const [from, to] = [box.y - box.height / 4, box.y + box.height / 4];
  const tall = Math.max(box.height, size.height) * 0.7;
  return `M${right},${from}C${right + reach},${from - tall} ${right + reach},${to + tall} ${right},${to}`;
}

/** A smooth line through points. */
function curve(points: { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const round = (n: number) => Math.round(n * 10) / 10;
  let text = `M${round(first.x)},${round(first.y)}`;
  for (let i = 0; i < rest.length - 1; i++) {
    const [a, b] = [rest[i]!, rest[i + 1]!];
    const last = i === rest.length - 2;
    const [x, y] = last ? [b.x, b.y] : [(a.x + b.x) / 2, (a.y + b.y) / 2];
    text += `Q${round(a.x)},${round(a.y)} ${round(x)},${round(y)}`;
  }
  if (rest.length === 1) text += `L${round(rest[0]!.x)},${round(rest[0]!.y)}`;
  return text;
}

/** Width of a character of the pictures' font. */
function measure(): number {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return 7;
  context.font = `11px ${getComputedStyle(document.documentElement).getPropertyValue("--mono")}`;
  return Math.max(5, context.measureText("0".repeat(50)).width / 50);
}
