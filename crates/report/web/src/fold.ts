// Which nodes of a large graph are visible, and what stands for the others.
//
// The nodes hang in a spanning tree. Hidden nodes are summed up: those between a visible node and a visible one below it, and
// those below a visible node with nothing visible below them. Each sum is a fold, which opens bit by bit.

export interface Shape {
  /** Number of nodes; 0 is the root. */
  size: number;
  edges: { from: number; to: number }[];
  /** Nodes that are visible from the beginning if there is room. */
  special: (node: number) => boolean;
}

export interface Fold {
  /** The visible node above. */
  above: number;
  /** Hidden nodes, from top to bottom. */
  nodes: number[];
}

/** Graphs with fewer nodes are shown as a whole. */
const SMALL = 120;
/** Nodes that a large graph shows in the beginning. */
const FIRST = 40;
/** Nodes that a fold shows when it opens. */
const STEP = 24;
/** Chains that are not longer than this are not folded. */
const SHORT = 3;

export class Folding {
  readonly parent: Int32Array;
  readonly children: number[][];
  /** Nodes from top to bottom. */
  readonly order: number[] = [];
  readonly visible: Uint8Array;

  constructor(private readonly shape: Shape) {
    const n = shape.size;
    this.parent = new Int32Array(n).fill(-1);
    this.children = Array.from({ length: n }, () => []);
    this.visible = new Uint8Array(n);
    const out: number[][] = Array.from({ length: n }, () => []);
    for (const { from, to } of shape.edges) out[from]?.push(to);
    const seen = new Uint8Array(n);
    for (let root = 0; root < n; root++) {
      if (seen[root]) continue;
      // What can't be reached from the root hangs below it.
      if (root > 0) this.attach(root, 0);
      seen[root] = 1;
      const start = this.order.length;
      this.order.push(root);
      for (let i = start; i < this.order.length; i++) {
        const node = this.order[i]!;
        for (const next of out[node]!) {
          if (seen[next]) continue;
          seen[next] = 1;
          this.attach(next, node);
          this.order.push(next);
        }
      }
    }
    this.reset();
  }

  private attach(node: number, parent: number): void {
    this.parent[node] = parent;
    this.children[parent]!.push(node);
  }

  /** Shows what is shown in the beginning: everything, or branchings from the top with the chains between them folded. */
  reset(): void {
    this.visible.fill(0);
    if (this.shape.size === 0) return;
    if (this.shape.size <= SMALL) {
      this.visible.fill(1);
      return;
    }
    this.visible[0] = 1;
    let room = FIRST;
    const queue = [0];
    for (let i = 0; i < queue.length && room > 0; i++) {
      for (const child of this.children[queue[i]!]!) {
        const chain = [child];
        let end = child;
        while (this.children[end]!.length === 1 && (end === child || !this.shape.special(end))) {
          end = this.children[end]![0]!;
          chain.push(end);
        }
        const shown = chain.length <= SHORT ? chain : [child, end];
        for (const node of shown) this.visible[node] = 1;
        room -= shown.length;
        queue.push(end);
      }
    }
  }

  /** Makes a node visible, with what is around it; false if it was visible. */
  reveal(node: number): boolean {
    if (this.visible[node]) return false;
    this.visible[node] = 1;
    let above = node;
    for (let i = 0; i < SHORT && (this.parent[above] ?? -1) >= 0; i++) {
      above = this.parent[above]!;
      this.visible[above] = 1;
    }
    for (const child of this.children[node]!.slice(0, SHORT)) this.visible[child] = 1;
    return true;
  }

  /** Shows the first nodes of a fold. */
  open(fold: Fold): void {
    // A remainder of a few nodes is not worth a fold.
    const shown = fold.nodes.length <= STEP + SHORT ? fold.nodes.length : STEP;
    for (const node of fold.nodes.slice(0, shown)) this.visible[node] = 1;
  }

  /** The folds, and for each node the number of its fold, or -1 if it is visible. */
  folds(): { folds: Fold[]; of: Int32Array } {
    const of = new Int32Array(this.shape.size).fill(-1);
    const folds: Fold[] = [];
    // Where the ways from visible nodes up to the next visible ones lead through.
    const way = new Int32Array(this.shape.size).fill(-1);
    for (const node of this.order) {
      if (!this.visible[node] || node === 0) continue;
      for (let up = this.parent[node]!; up >= 0 && !this.visible[up] && way[up] === -1; up = this.parent[up]!) {
        way[up] = node;
      }
    }
    const keys = new Map<string, number>();
    for (const node of this.order) {
      if (this.visible[node]) continue;
      const up = this.parent[node]!;
      const key = way[node] !== -1 ? `way ${way[node]}` : this.visible[up] ? `below ${up}` : null;
      let fold = key === null ? of[up]! : keys.get(key);
      if (fold === undefined) {
        let above = up;
        while (!this.visible[above]) above = this.parent[above]!;
        fold = folds.length;
        folds.push({ above, nodes: [] });
        keys.set(key!, fold);
      }
      folds[fold]!.nodes.push(node);
      of[node] = fold;
    }
    return { folds, of };
  }
}
