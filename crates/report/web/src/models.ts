// Pictures of automata and of the abstract reachability graph.

import type { Arg, At, CfaEdge, CfaFunction } from "./data";
import type { GraphEdge, Model } from "./graph";

/** The automaton of a function; straight lines are one edge. Also says which location each node is. `errors` are the edges of violations. */
export function cfaModel(f: CfaFunction, errors: Set<number>): { model: Model; locations: number[] } {
  const [out, into] = [new Map<number, CfaEdge[]>(), new Map<number, CfaEdge[]>()];
  const push = (map: Map<number, CfaEdge[]>, key: number, edge: CfaEdge) => {
    const list = map.get(key);
    if (list) list.push(edge);
    else map.set(key, [edge]);
  };
  for (const edge of f.edges) {
    push(out, edge.from, edge);
    if (edge.to !== null) push(into, edge.to, edge);
  }
  const inner = (loc: number, label: string) =>
    loc !== f.entry && loc !== f.exit && label === "" && into.get(loc)?.length === 1 && out.get(loc)?.length === 1;
  const kept = f.nodes.filter(([loc, , label]) => !inner(loc, label));
  kept.sort((a, b) => Number(b[0] === f.entry) - Number(a[0] === f.entry));
  const known = new Set(kept.map(([loc]) => loc));
  // A loop of straight lines only, which nothing enters, has no node of its own; it can't be reached.
  const locations = kept.map(([loc]) => loc);
  const number = new Map(locations.map((loc, i) => [loc, i]));
  const nodes: Model["nodes"] = kept.map(([loc, at, label]) => {
    const role = loc === f.entry ? "entry" : loc === f.exit ? "exit" : "";
    const name = [role || `L${loc}`, label].filter((part) => part !== "").join(" ");
    const line = at ? `line ${at[1]}` : "";
    const lines = line === "" || role !== "" ? [name] : [`${name} · ${line}`];
    return { lines, className: `location ${role}`, at, text: `${name} ${line}` };
  });
  const edges: GraphEdge[] = [];
  for (const loc of locations) {
    for (const first of out.get(loc) ?? []) {
      const chain = [first];
      let last = first;
      while (last.to !== null && !known.has(last.to)) {
        last = out.get(last.to)![0]!;
        chain.push(last);
      }
      let to = last.to === null ? undefined : number.get(last.to);
      if (to === undefined) {
        to = nodes.length;
        const at = last.at;
        const name = chain.some((edge) => errors.has(edge.id)) ? "error" : "end of path";
        nodes.push({ lines: [name], className: name === "error" ? "end error" : "end", at, text: name });
        locations.push(-1);
      }
      edges.push({
        from: number.get(loc)!,
        to,
        lines: chain.map((edge) => edge.text).filter((text, i, all) => text !== "" && text !== "skip" && text !== all[i - 1]),
        className: first.kind,
        places: chain.map((edge) => edge.at),
        ids: chain.map((edge) => edge.id),
      });
    }
  }
  // What an edge does is found at its target.
  for (const edge of edges) nodes[edge.to]!.text += ` ${edge.lines.join(" ")}`;
  return { model: { nodes, edges, noun: "locations", special: () => false }, locations };
}

/** The abstract reachability graph. */
export function argModel(arg: Arg): Model {
  const onPath = new Set(arg.path);
  const mark = (...ends: number[]) => (ends.every((i) => onPath.has(i)) ? " path" : "");
  const nodes = arg.nodes.map((node, i) => {
    const where = `${node.function}${node.at ? `:${node.at[1]}` : ""}`;
    const end = (node.kind === "expanded" ? "" : ` · ${node.kind}`) + (onPath.has(i) ? " · error path" : "");
    return {
      lines: [`${i} ${where}${end}`, ...node.facts],
      className: node.kind + mark(i),
      at: node.at,
      text: `${i} ${where}${end} ${node.facts.join(", ")}`,
    };
  });
  const edges: GraphEdge[] = arg.edges.map(([from, to, lines]) => ({
    from,
    to,
    lines,
    className: `succ${mark(from, to)}`,
    places: [arg.nodes[from]?.at ?? null],
    ids: [],
  }));
  arg.nodes.forEach((node, from) => {
    if (node.covered === undefined || node.covered >= nodes.length) return;
    edges.push({ from, to: node.covered, lines: [], className: "cover", places: [node.at], ids: [] });
  });
  return { nodes, edges, noun: "states", special: (i) => arg.nodes[i]?.kind === "target" };
}

/** Nodes at a line. */
export function nodesAt(model: Model, at: [number, number]): number[] {
  const here = (place: At) => place !== null && place[0] === at[0] && place[1] === at[1];
  const found = new Set<number>();
  model.nodes.forEach((node, i) => {
    if (here(node.at)) found.add(i);
  });
  for (const edge of model.edges) {
    if (edge.className !== "cover" && edge.places.some(here)) found.add(edge.from);
  }
  return [...found].sort((a, b) => a - b);
}
