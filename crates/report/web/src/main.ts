// Adds stepping, pictures and search to the page, which can be read without.

import { type At, type CfaFunction, type Row, readData, same } from "./data";
import { count, el } from "./dom";
import { type Chosen, GraphView, type Model } from "./graph";
import { argModel, cfaModel, nodesAt } from "./models";
import { Path } from "./path";
import { Source } from "./source";
import "./style.css";

interface Tab {
  name: string;
  panel: HTMLElement;
  button: HTMLButtonElement;
  /** Called when the tab is shown. */
  open: () => void;
}

const data = readData();
const taken = new Set(data.rows.flatMap((row) => row.edges));
const errors = new Set(data.rows.filter((row) => row.kind === "error").flatMap((row) => row.edges));
const tabs: Tab[] = [];
const views = document.getElementById("views")!;
const strip = el("div", { class: "tabs", role: "tablist", "aria-label": "Evidence" });
let shown = -1;
let currentEdges: number[] = [];
let lastLine = { at: null as At, turn: 0 };

document.documentElement.classList.add("js");

// The automata.
let automaton: { f: CfaFunction; model: Model } | null = null;
const functions = el("select", { "aria-label": "Function" });
for (const f of data.functions) functions.append(el("option", {}, f.name));
functions.addEventListener("change", () => showFunction(functions.value));
const cfa = new GraphView("Automaton", (chosen) => chose(automaton?.model, chosen), [functions]);

// The abstract states.
let graph: Model | null = null;
const detail = el("div", { class: "detail", "aria-live": "polite" });
const states = new GraphView("States", (chosen) => chose(graph, chosen));

const source = new Source(clickedLine);
const path = data.rows.length > 0 ? new Path(data, stepped) : null;

const evidence = views.querySelector<HTMLElement>(".view")!;
views.prepend(strip);
addTab(path ? (data.verdict === "false" ? "Error path" : "Path") : data.verdict === "true" ? "Proof" : "Evidence", evidence, () => {});
if (data.functions.length > 0) {
  const panel = el("div", { class: "view picture" }, cfa.element);
  if (data.left_out > 0) {
    panel.append(el("p", { class: "empty" }, `${count(data.left_out)} functions are left out; hone cfa shows them.`));
  }
  addTab("Automaton", panel, () => {
    if (!automaton) showFunction(startFunction());
    cfa.markEdges(taken, currentEdges);
  });
}
if (data.arg) {
  const arg = data.arg;
  const panel = el("div", { class: "view picture" }, states.element, detail);
  if (arg.truncated) panel.append(el("p", { class: "empty" }, "The graph is very large; a part of it is shown."));
  addTab(`Abstract states (${count(arg.nodes.length)})`, panel, () => {
    if (graph) return;
    graph = argModel(arg);
    states.show(graph);
    showDetail(0);
  });
}
openTab(0);
path?.go(data.rows.length - 1);
document.addEventListener("keydown", key);
document.documentElement.dataset["ready"] = "true";

function addTab(name: string, panel: HTMLElement, open: () => void): void {
  const index = tabs.length;
  const id = `tab${index}`;
  const button = el("button", { type: "button", role: "tab", id, title: `${name} (${index + 1})` }, name);
  button.addEventListener("click", () => openTab(index));
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", id);
  panel.hidden = true;
  strip.append(button);
  if (!panel.isConnected) views.append(panel);
  tabs.push({ name, panel, button, open });
}

function openTab(index: number): void {
  const tab = tabs[index];
  if (!tab) return;
  shown = index;
  tabs.forEach(({ panel, button }, i) => {
    panel.hidden = i !== index;
    button.setAttribute("aria-selected", String(i === index));
  });
  tab.open();
}

function isShown(view: GraphView): boolean {
  return shown >= 0 && tabs[shown]!.panel.contains(view.element);
}

function startFunction(): string {
  const row = path && data.rows[path.position];
  const wanted = row ? row.function : "main";
  return (data.functions.find((f) => f.name === wanted) ?? data.functions[0])?.name ?? "";
}

function showFunction(name: string): void {
  const f = data.functions.find((candidate) => candidate.name === name);
  if (!f) return;
  functions.value = name;
  automaton = { f, model: cfaModel(f, errors).model };
  cfa.show(automaton.model);
  cfa.markEdges(taken, currentEdges);
}

/** The user went to a step of the path. */
function stepped(row: Row): void {
  source.mark([row.at], "current");
  source.mark([], "selected");
  currentEdges = row.edges;
  if (!isShown(cfa)) return;
  if (automaton?.f.name !== row.function) showFunction(row.function);
  else cfa.markEdges(taken, currentEdges);
}

/** The user clicked into a picture. */
function chose(model: Model | null | undefined, chosen: Chosen): void {
  if (!model) return;
  lastLine = { at: null, turn: 0 };
  if ("edge" in chosen) {
    source.mark(chosen.edge.places, "selected");
    return;
  }
  source.mark([model.nodes[chosen.node]?.at ?? null], "selected");
  if (model === graph) showDetail(chosen.node);
}

/** The user clicked on a line: the picture shows what is there, the next one each time. */
function clickedLine(at: [number, number]): void {
  const turn = same(lastLine.at, at) ? lastLine.turn + 1 : 0;
  source.mark([at], "selected");
  if (path && shown === 0) {
    path.next((row) => same(row.at, at));
    return;
  }
  if (shown === 0) openTab(data.arg ? tabs.length - 1 : 1);
  let [view, model]: [GraphView, Model | null] = [states, graph];
  if (isShown(cfa)) {
    const here = (f: CfaFunction) => f.nodes.some(([, place]) => same(place, at)) || f.edges.some((e) => same(e.at, at));
    const f = automaton && here(automaton.f) ? automaton.f : data.functions.find(here);
    if (f && f !== automaton?.f) showFunction(f.name);
    [view, model] = [cfa, automaton?.model ?? null];
  }
  if (!model) return;
  const nodes = nodesAt(model, at);
  lastLine = { at, turn };
  view.markNodes(nodes);
  const node = nodes[turn % Math.max(1, nodes.length)];
  if (node === undefined) return;
  view.focus(node);
  if (view === states) showDetail(node);
}

/** Everything that is known of an abstract state. */
function showDetail(number: number): void {
  const node = data.arg?.nodes[number];
  if (!node) return;
  const link = (to: number) => {
    const button = el("button", { type: "button", class: "link" }, String(to));
    button.addEventListener("click", () => {
      states.focus(to);
      chose(graph, { node: to });
    });
    return button;
  };
  const entry = (name: string, ...value: (Node | string)[]) => el("div", {}, el("dt", {}, name), el("dd", {}, ...value));
  const list = (values: string[]) =>
    values.length === 0 ? ["nothing"] : values.flatMap((value, i) => [i > 0 ? ", " : "", el("code", {}, value)]);
  const parts = [
    entry("State", `${number}, ${node.kind}, in ${node.function}${node.at ? ` at line ${node.at[1]}` : ""}`),
    entry("Known", ...list(node.facts)),
    entry("Tracked", ...list(node.precision)),
  ];
  const into = data.arg!.edges.filter(([, to]) => to === number);
  if (into.length > 0) parts.push(entry("From", ...into.slice(0, 8).flatMap(([from, , text], i) => [i > 0 ? ", " : "", link(from), ` by ${text.join("; ")}`])));
  if (node.covered !== undefined) parts.push(entry("Covered by", link(node.covered)));
  const covers = data.arg!.nodes.flatMap((other, i) => (other.covered === number ? [i] : []));
  if (covers.length > 0) {
    const more = covers.length > 12 ? [` and ${count(covers.length - 12)} more`] : [];
    parts.push(entry("Covers", ...covers.slice(0, 12).flatMap((i, at) => [at > 0 ? ", " : "", link(i)]), ...more));
  }
  detail.replaceChildren(el("dl", {}, ...parts));
}

function key(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  const actions: Record<string, () => void> = {
    n: () => path?.go(path.position + 1),
    p: () => path?.go(path.position - 1),
    N: () => path?.over(1),
    P: () => path?.over(-1),
    "/": () => (isShown(states) ? states : cfa).focusSearch(),
  };
  if (path) {
    actions["ArrowLeft"] = actions["p"]!;
    actions["ArrowRight"] = actions["n"]!;
    actions["Home"] = () => path.go(0);
    actions["End"] = () => path.go(data.rows.length - 1);
  }
  tabs.forEach((_, i) => (actions[String(i + 1)] = () => openTab(i)));
  const action = actions[event.key];
  if (!action) return;
  if (event.key === "/" && !isShown(states) && !isShown(cfa)) openTab(tabs.length - 1);
  event.preventDefault();
  action();
}
