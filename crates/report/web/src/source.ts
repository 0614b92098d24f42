// The source pane: files, marked lines, clicks on lines.

import type { At } from "./data";

export class Source {
  private readonly pane = document.querySelector<HTMLElement>("#source .files");
  private readonly files = [...document.querySelectorAll<HTMLElement>("#source .file")];
  private readonly tabs = [...document.querySelectorAll<HTMLAnchorElement>("#source nav a")];

  /** `onLine` hears of clicks on lines. */
  constructor(onLine: (at: [number, number]) => void) {
    for (const tab of this.tabs) {
      tab.addEventListener("click", (event) => {
        event.preventDefault();
        this.show(Number(tab.dataset["file"]));
      });
    }
    this.pane?.addEventListener("click", (event) => {
      const target = event.target as Element;
      const line = target.closest<HTMLElement>(".ln");
      // Selecting text is no click on the line.
      if (!line || (getSelection()?.toString() ?? "") !== "") return;
      if (target.closest("a")) event.preventDefault();
      const found = /^f(\d+)l(\d+)$/.exec(line.id);
      if (found) onLine([Number(found[1]), Number(found[2])]);
    });
    this.show(0);
  }

  show(file: number): void {
    this.files.forEach((element, index) => (element.hidden = index !== file));
    this.tabs.forEach((tab, index) => {
      if (index === file) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    });
  }

  /** Marks lines with a class, which no other lines keep, and brings the first one into view. */
  mark(places: At[], className: "current" | "selected"): void {
    document.querySelectorAll(`#source .ln.${className}`).forEach((line) => line.classList.remove(className));
    let first = true;
    for (const at of places) {
      const line = at && document.getElementById(`f${at[0]}l${at[1]}`);
      if (!line) continue;
      line.classList.add(className);
      if (first) {
        this.show(at[0]);
        this.reveal(line);
        first = false;
      }
    }
  }

  private reveal(line: HTMLElement): void {
    if (!this.pane) return;
    const [outer, inner] = [this.pane.getBoundingClientRect(), line.getBoundingClientRect()];
    if (inner.top < outer.top + 40 || inner.bottom > outer.bottom - 40) {
      this.pane.scrollTop += inner.top - outer.top - outer.height / 3;
    }
  }
}
