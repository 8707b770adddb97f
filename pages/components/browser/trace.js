/* Draws the reasoning of a run, a line for each panel, which opens; and an answer before the latest,
   whose citations are buttons. It is drawn again while a run is at work: what has not changed stays,
   so that an open panel stays open.

   Its texts are the Markdown that `core/markdown_escape.py` lets through. Here they become elements
   of the kinds below and text, never HTML. */
const style = document.createElement("link");
Object.assign(style, { rel: "stylesheet", href: new URL("trace.css", import.meta.url) });
await new Promise((ready) => {
  style.onload = style.onerror = ready;
  document.head.append(style);
});

export default ({ data, parentElement, setTriggerValue }) => {
  let box = parentElement.querySelector(".trace");
  if (!box) {
    box = make("div", "trace");
    parentElement.append(box);
  }
  box.cite = (cited) => setTriggerValue("cite", cited);
  drawAll(box, data, drawPart);
};

function make(kind, name = "") {
  const element = document.createElement(kind);
  element.className = name;
  return element;
}

/* Draws each item by `draw`, which may draw again what was there before. */
function drawAll(box, items, draw) {
  items.forEach((item, place) => {
    const before = box.children[place];
    const mark = JSON.stringify(item);
    if (before?.mark === mark) return;
    const drawn = draw(item, before);
    drawn.mark = mark;
    if (!before) box.append(drawn);
    else if (drawn !== before) before.replaceWith(drawn);
  });
  while (box.children.length > items.length) box.lastChild.remove();
}

function drawPanel({ label, live, done, parts }, before) {
  const isPanel = before?.matches("details.trace-panel");
  const panel = isPanel
    ? before : fold("trace-panel", () => drawAll(panel.lastChild, panel.parts, drawPart));
  if (!isPanel || panel.live !== live) panel.open = live;
  panel.classList.toggle("trace-live", live);
  panel.classList.toggle("trace-done", Boolean(done));
  Object.assign(panel, { live, parts });
  fill(panel.firstChild.firstChild, label);
  if (panel.open) panel.drawInside();
  return panel;
}

/* A line that opens; what is in it is drawn once it is open. */
function fold(name, drawInside) {
  const panel = make("details", name);
  const line = make("summary");
  line.append(make("span"));
  panel.append(line, make("div", "trace-inside"));
  panel.drawInside = drawInside;
  panel.addEventListener("toggle", () => panel.open && drawInside());
  return panel;
}

function drawPart(part, before) {
  if (typeof part === "string") return fill(make("p"), part);
  if ("label" in part) return drawPanel(part, before);
  if (part.cited) return drawBlock(part);
  if (part.kind === "scores") return drawScores(part.rows);
  if (part.rows) return drawFolded(part);
  return part.title ? drawTitled(part, before) : drawText(part, before);
}

/* A part of an answer, with a button for each of its citations, which opens it. */
function drawBlock({ box, parts, cited }) {
  const block = make("div", box ? "trace-block trace-box" : "trace-block");
  parts.forEach((part) => block.append(drawPart(part)));
  cited.forEach(({ cite, label, about }) => {
    const button = Object.assign(make("button"), { type: "button" });
    button.append(drawIcon("find_in_page"), fill(make("span"), label));
    button.firstChild.ariaHidden = "true";
    button.addEventListener("click", () => button.closest(".trace").cite(cite));
    const line = make("div", `trace-cited st-key-cite-${cite.replace(".", "-")}`);
    line.append(button, fill(make("span", "trace-gray"), about));
    block.append(line);
  });
  return block;
}

function drawFolded({ title, rows, open }) {
  const panel = fold("trace-table", () => {
    const region = scrolling(make("div"), title);
    region.append(drawTable(rows));
    panel.lastChild.replaceChildren(region);
  });
  fill(panel.firstChild.firstChild, title);
  panel.open = open;  // which draws its inside
  return panel;
}

function drawTable([head, ...rows]) {
  const table = make("table");
  const first = table.createTHead().insertRow();
  head.forEach((cell) => first.append(fill(make("th"), cell)));
  const body = table.createTBody();
  rows.forEach((cells) => {
    const row = body.insertRow();
    cells.forEach((cell) => row.insertCell().append(fill(make("div"), cell)));
  });
  return table;
}

function drawScores([names, values, reasons]) {
  const box = make("div", "trace-scores");
  names.forEach((name, place) => {
    const bar = make("div", "trace-bar");
    bar.style.setProperty("--share", `${parseFloat(values[place].replace(/[^\d.]/g, "")) * 10}%`);
    const one = make("div");
    one.append(fill(make("p"), `${name} ${values[place]}`), bar, fill(make("p"), reasons[place]));
    box.append(one);
  });
  return box;
}

/* A text below its title; one that grows stays where its reader has scrolled to, else at its end. */
function drawTitled(part, before) {
  const isTitled = before?.matches(".trace-titled");
  const box = isTitled ? before : nest("div", [make("p"), drawText(part)], "trace-titled");
  fill(box.firstChild, part.title);
  const text = drawText(part, box.lastChild);
  if (text !== box.lastChild) box.lastChild.replaceWith(text);
  return box;
}

function drawText({ title, text, kind = "text", live }, before) {
  const name = `trace-${kind}`;
  const box = before?.classList.contains(name) ? before : make("div", name);
  const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 8;
  box.classList.toggle("trace-grows", Boolean(live));
  box.replaceChildren(...drawBlocks(text.split("\n")));
  if (live) {
    scrolling(box, title.replaceAll("*", ""));
    if (isAtEnd) requestAnimationFrame(() => { box.scrollTop = box.scrollHeight; });
  }
  return box;
}

/* What scrolls by itself can be reached by keyboard. */
function scrolling(box, name) {
  Object.assign(box, { tabIndex: 0, role: "region", ariaLabel: name });
  return box;
}

const KINDS = [
  [/^ {0,3}> ?/, (lines, depth) =>
    nest("blockquote", drawBlocks(lines.map((line) => line.replace(/^ {0,3}> ?/, "")), depth))],
  [/^ *[-*+] /, drawList],
  [/^ *\d+[.)] /, drawList],
  [/^#{1,6} /, (lines) =>
    lines.map((line) => fill(make(`h${Math.min(6, line.indexOf(" ") + 2)}`), line.replace(/^#+ /, "")))],
  [/^ *\|/, (lines) => nest("div", [drawTable(readCells(lines))])],
];
const LIST = KINDS.slice(1, 3);
const MAX_DEPTH = 8;  // of lists and quotes within each other; below, marks stand as they are

/* The paragraphs, quotes, lists, headings and tables of a text. */
function drawBlocks(lines, depth = 0) {
  const drawn = [];
  const kindOf = (line) => depth < MAX_DEPTH && KINDS.find(([mark]) => mark.test(line));
  for (let at = 0, end; at < lines.length; at = end) {
    const kind = kindOf(lines[at]);
    end = at + 1;
    if (!lines[at].trim()) continue;
    const inside = LIST.includes(kind) ? /^ {2}/ : /^(?!)/;  // lines of an item go on below it
    const goesOn = (line) => line.trim() && (kindOf(line) === kind || inside.test(line));
    while (end < lines.length && goesOn(lines[end])) end += 1;
    const found = lines.slice(at, end);
    if (kind) drawn.push(kind[1](found, depth + 1));
    else drawn.push(fill(make("p"), found.join("\n")));
  }
  return drawn.flat();
}

/* A list whose items keep their numbers; what is set in further belongs to the item above it. */
function drawList(lines, depth) {
  const mark = /^( *)(?:[-*+]|(\d+)[.)]) /;
  const [, edge, number] = mark.exec(lines[0]);
  const items = [];
  lines.forEach((line) => {
    const found = mark.exec(line);
    if (found && found[1].length < edge.length + 2) {
      const rest = line.slice(found[0].length);
      items.push({ number: Number(found[2]), lines: [rest] });
    } else items.at(-1).lines.push(line.slice(Math.min(line.search(/\S/), edge.length + 3)));
  });
  return nest(number ? "ol" : "ul", items.map((item) => {
    const drawn = item.lines.length > 1 || KINDS.some(([kind]) => kind.test(item.lines[0]))
      ? nest("li", drawBlocks(item.lines, depth)) : fill(make("li"), item.lines[0]);
    if (item.number) drawn.value = item.number;
    return drawn;
  }));
}

function nest(kind, elements, name) {
  const box = make(kind, name);
  box.append(...elements);
  return box;
}

function readCells(lines) {
  return lines
    .filter((line) => !/^[\s|:-]*$/.test(line))
    .map((line) => line.replace(/^ *\|/, "").replace(/(?<!\\)\|\s*$/, "").split(/(?<!\\)\|/));
}

const SIGN = new RegExp([
  /\\(?<escaped>[!-/:-@[-`{-~])/,
  /:material\/(?<icon>\w+):/,
  /:(?<style>[a-z]+(?:-[a-z]+)?)\[/,
  /`(?<code>[^`\n]+)`/,
  /(?<strong>\*\*)/,
  /(?<em>\*)/,
  /(?<end>\])/,
  /(?<line>(?<! ) {2,}\n)/,
].map((one) => one.source).join("|"), "g");

/* Puts a text into an element, with what is bold, coloured or an icon in it. */
function fill(element, text) {
  const open = [element];
  let at = 0;
  const add = (node) => open[open.length - 1].append(node);
  const toggle = (kind) => {
    if (open[open.length - 1].localName === kind && open.length > 1) open.pop();
    else {
      const begun = make(kind);
      add(begun);
      open.push(begun);
    }
  };
  element.replaceChildren();
  for (const found of text.matchAll(SIGN)) {
    const { escaped, icon, style, code, strong, em, end, line } = found.groups;
    add(text.slice(at, found.index));
    at = found.index + found[0].length;
    if (escaped) add(escaped);
    else if (icon) add(drawIcon(icon));
    else if (code) add(Object.assign(make("code"), { textContent: code }));
    else if (strong) toggle("strong");
    else if (em) toggle("em");
    else if (line) add(make("br"));
    else if (style) {
      const begun = make("span", `trace-${style}`);
      add(begun);
      open.push(begun);
    } else if (open.length > 1 && open[open.length - 1].localName === "span") open.pop();
    else if (end) add(end);
  }
  add(text.slice(at));
  return element;
}

function drawIcon(name) {
  const icon = make("span", "trace-icon");
  return Object.assign(icon, { textContent: name, role: "img", ariaLabel: name.replaceAll("_", " ") });
}
