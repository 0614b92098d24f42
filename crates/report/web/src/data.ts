// The data of a page; see crates/report/src/html/data.rs.

/** Number of a file, and a line. */
export type At = [number, number] | null;

export interface Row {
  at: At;
  function: string;
  depth: number;
  kind: string;
  what: string;
  /** For conditions: the values of what they compare. */
  operands?: string;
  edges: number[];
  set?: { target: string; value: string; global: boolean };
  call?: [string, [string, string][]];
}

export interface CfaEdge {
  id: number;
  from: number;
  to: number | null;
  at: At;
  text: string;
  kind: string;
}

export interface CfaFunction {
  name: string;
  entry: number;
  exit: number;
  nodes: [number, At, string][];
  edges: CfaEdge[];
}

export interface ArgNode {
  kind: "expanded" | "covered" | "open" | "target";
  function: string;
  depth: number;
  at: At;
  facts: string[];
  precision: string[];
  covered?: number;
  loc: number;
}

export interface Arg {
  truncated: boolean;
  nodes: ArgNode[];
  edges: [number, number, string[]][];
  /** Nodes on the error path, from the root. */
  path?: number[];
}

export interface Data {
  verdict: "true" | "false" | "unknown";
  rows: Row[];
  functions: CfaFunction[];
  left_out: number;
  arg: Arg | null;
}

export function readData(): Data {
  return JSON.parse(document.getElementById("data")?.textContent ?? "null") as Data;
}

export function same(a: At, b: At): boolean {
  return a !== null && b !== null && a[0] === b[0] && a[1] === b[1];
}
