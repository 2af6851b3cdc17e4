package browsertest

// overflow lists what is wider than the window, "" when nothing is.
const overflow = `(() => {
  const root = document.documentElement;
  if (root.scrollWidth <= root.clientWidth) return "";
  const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > root.clientWidth + 1 && !e.closest(".scroll, .tabs, .sprite"));
  return root.scrollWidth + " > " + root.clientWidth + ": " + wide.slice(0, 3).map((e) => e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 40)).join(" | ");
})()`

// contrast lists text whose colour is too close to its ground.
const contrast = `(() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (c) => {
    if (!known.has(c)) {
      paint.clearRect(0, 0, 1, 1);
      paint.fillStyle = c;
      paint.fillRect(0, 0, 1, 1);
      known.set(c, [...paint.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(c);
  };
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor);
      if (c[3] === 255) return c;
    }
    return [255, 255, 255, 255];
  };
  const bad = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = 0; walk.nextNode() && n < 3000; n++) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || e.closest("script, noscript, .vh, .skip, svg, [hidden]") || !e.checkVisibility()) continue;
    const s = getComputedStyle(e);
    const a = light(rgba(s.color)), b = light(ground(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(s.fontSize);
    if (ratio < (size >= 24 ? 3 : 4.5)) bad.add(ratio.toFixed(2) + " " + e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 30));
    if (size < 11.4) bad.add(size + "px " + e.tagName + "." + e.className);
  }
  return [...bad].slice(0, 5);
})()`

// blank lists the drawings that have fewer than three colours.
const blank = `[...document.querySelectorAll("[data-chart]")].filter((box) => {
  const canvas = box.querySelector("canvas");
  if (!canvas) return !box.querySelector("svg path, svg rect");
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let i = 0; i < data.length && seen.size < 3; i += 4) if (data[i + 3] > 0) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return seen.size < 3;
}).map((box) => box.id)`

// placed says what is marked and whether it is in view.
const placed = `(() => {
  const m = document.getElementById("place");
  if (!m) return null;
  const r = m.getBoundingClientRect();
  return { text: m.textContent, inView: r.top >= 0 && r.bottom <= innerHeight && r.width > 0 && r.left >= 0 && r.left < innerWidth, ground: getComputedStyle(m).backgroundColor };
})()`

// headings says where a heading skips a level.
const headings = `(() => {
  let last = 0, out = "";
  for (const h of document.querySelectorAll("h1, h2, h3, h4")) {
    const n = +h.tagName[1];
    if (n > last + 1) out = h.textContent;
    last = n;
  }
  return out;
})()`

// unlabelled lists controls without a name and references that lead nowhere.
const unlabelled = `(() => {
  const out = [];
  for (const e of document.querySelectorAll("button, input:not([type=hidden]), select, textarea, a[href]")) {
    if (!(e.getAttribute("aria-label") || e.textContent.trim() || e.title || (e.labels && e.labels.length) || e.querySelector("[aria-label]"))) out.push(e.outerHTML.slice(0, 80));
  }
  for (const e of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
    for (const id of (e.getAttribute("aria-labelledby") || e.getAttribute("aria-describedby")).split(/\s+/)) if (!document.getElementById(id)) out.push("no #" + id);
  }
  for (const e of document.querySelectorAll("th:not([scope])")) out.push("th without scope: " + e.textContent.slice(0, 40));
  return out.slice(0, 5);
})()`

// squeezed lists headings that were left a column too narrow to read.
const squeezed = `[...document.querySelectorAll("h1, h2, h3")].filter((h) => {
  const r = h.getBoundingClientRect();
  return h.checkVisibility() && !h.classList.contains("vh") && r.width < 90 && r.height > 3 * parseFloat(getComputedStyle(h).lineHeight);
}).map((h) => h.textContent.trim().slice(0, 40) + " in " + Math.round(h.getBoundingClientRect().width) + "px")`

// crowded lists drawings whose row labels take more lines than a row has room for.
const crowded = `[...document.querySelectorAll("[data-chart][data-drawn]")].filter((box) => {
  const chart = echarts.getInstanceByDom(box);
  return chart && (chart.getOption().yAxis || []).some((a) => a.type === "category" && a.data.some((name) => {
    const row = box.clientHeight / (a.data.length + 1.5);
    return String(name).split("\\n").length * (a.axisLabel.lineHeight || 14) > row;
  }));
}).map((box) => box.id)`
