"use strict";
// Plays on the page as people do, and says what is wrong.
(() => {
  const result = document.createElement("p");
  result.id = "result";
  document.body.append(result);
  try {
    result.textContent = test() ?? "all is well";
  } catch (error) {
    result.textContent = String(error);
  }

  function test() {
    const grid = document.getElementById("grid");
    const said = () => document.getElementById("said").textContent;
    const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const one = book.puzzles[0], n = one.order;
    const all = () => [...grid.querySelectorAll("[role=gridcell]")];
    if (grid.getAttribute("role") !== "grid" || grid.querySelectorAll("[role=row]").length !== n || all().length !== n * n) return "no grid";
    if (all().filter((cell) => cell.tabIndex === 0).length !== 1) return "one cell is reached by the tab key";
    if (all().some((cell) => !cell.getAttribute("aria-label"))) return "a cell has no name";
    const outside = all().some((cell) => {
      const [inner, outer] = [cell.getBoundingClientRect(), document.getElementById("board").getBoundingClientRect()];
      return inner.width < 12 || inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1;
    });
    if (outside) return "a cell is outside the board";
    const buttons = [...document.querySelectorAll("#pad button")];
    if (buttons.length !== n || buttons.some((button) => button.getBoundingClientRect().height < 44)) return "buttons too small for fingers";
    // A given stays.
    const given = one.givens.findIndex((value) => value !== 0);
    all()[given].click();
    press("Delete");
    if (values[given] !== one.givens[given] || !all()[given].getAttribute("aria-label").includes(book.words.given)) return "a given was changed";
    // A wrong digit by a button, found by the check, taken back.
    const open = one.givens.indexOf(0);
    all()[open].click();
    buttons[one.solution[open] % n].click();
    document.getElementById("check").click();
    if (all()[open].getAttribute("aria-invalid") !== "true" || !said().includes("1")) return "a mistake was not found: " + said();
    document.getElementById("undo").click();
    if (values[open] !== 0) return "not taken back";
    // Pencil marks.
    press(" ");
    buttons[0].click();
    buttons[1].click();
    if (marks[open].join() !== "1,2" || !all()[open].getAttribute("aria-label").includes(book.words.marks)) return "no pencil marks";
    document.activeElement === document.body && all()[open].focus();
    all()[open].click();
    press(" ");
    // Solved with the keyboard alone: arrows, and the keys of the symbols.
    all()[0].click();
    for (let row = 0; row < n; row += 1) {
      for (let column = 0; column < n; column += 1) {
        const at = row * n + column;
        if (here !== at) return `the arrows lead to ${here} instead of ${at}`;
        if (!one.givens[at]) press(signs()[one.solution[at] - 1].name);
        if (column < n - 1) press("ArrowRight");
      }
      press("Home");
      press("ArrowDown");
    }
    if (said() !== book.words.solved) return "not solved: " + said();
    // Another puzzle, and back: what was filled in is kept.
    document.getElementById("next").click();
    if (at !== 1 || said() !== "") return "no second puzzle";
    document.getElementById("previous").click();
    if (values.join() !== one.solution.join()) return "the solved puzzle was lost";
    document.getElementById("restart").click();
    if (values.join() !== one.givens.join()) return "not begun again";
    document.getElementById("undo").click();
    if (values.join() !== one.solution.join()) return "what stood before the new beginning is lost";
    const rules = document.getElementById("rules").textContent;
    if (rules !== one.rules[0] || rules.length < 40) return "the rules are not said";
    return null;
  }
})();
