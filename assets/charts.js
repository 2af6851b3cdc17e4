// Draws the charts of a page. A chart is a div with data-chart, the id of a script
// element that holds its option as JSON; the table beside it says the same in numbers,
// so a chart that cannot be drawn leaves its table and a sentence.
"use strict";
(() => {
  const boxes = document.querySelectorAll("[data-chart]");
  if (boxes.length === 0) return;

  const say = (box, why) => {
    const figure = box.closest("figure") || box;
    figure.classList.add("undrawn");
    const note = figure.querySelector("[data-chart-note]");
    if (note) note.textContent = why;
  };
  if (typeof echarts === "undefined") {
    for (const box of boxes) say(box, "The chart library is not loaded. The table has every figure.");
    return;
  }

  // A colour of the style sheet as the canvas can use it: only a computed colour has
  // light-dark() resolved.
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  const colour = (name) => {
    probe.style.color = "var(--" + name + ")";
    return getComputedStyle(probe).color;
  };

  // "$name" anywhere in an option stands for that colour.
  const dye = (x) => {
    if (typeof x === "string") return /^\$[a-z0-9-]+$/.test(x) ? colour(x.slice(1)) : x;
    if (Array.isArray(x)) return x.map(dye);
    if (x && typeof x === "object") return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, dye(v)]));
    return x;
  };

  // Bars of an own kind: value is [row, low, high, kind]. 0 a point value, from zero;
  // 1 an interval, from bound to bound; 2 one observation, hollow; 3 rejected, hatched.
  const bars = (series) => (params, api) => {
    const item = series.data[params.dataIndex];
    const ink = series.ink;
    const kind = api.value(3);
    const lo = api.coord([api.value(1), api.value(0)]);
    const hi = api.coord([api.value(2), api.value(0)]);
    const height = Math.min(api.size([0, 1])[1] * 0.55, 18);
    const box = { x: lo[0], y: lo[1] - height / 2, width: Math.max(hi[0] - lo[0], 3), height };
    const solid = kind === 0 || kind === 1;
    const children = [{
      type: "rect", shape: box,
      style: { fill: solid ? ink.plot : ink.ground, stroke: ink.plot, lineWidth: solid ? 0 : 1.25 },
    }];
    if (kind === 3) {
      const lines = [];
      for (let x = box.x - height; x < box.x + box.width; x += 8) {
        lines.push({ type: "line", shape: { x1: x, y1: box.y + height, x2: x + height, y2: box.y }, style: { stroke: ink.quiet, lineWidth: 1 } });
      }
      children.push({ type: "group", children: lines, clipPath: { type: "rect", shape: box } });
    }
    const text = series.narrow ? item.text.replace(" to ", " to\n") : item.text;
    children.push({
      type: "text",
      style: { text, x: box.x + box.width + 6, y: lo[1], lineHeight: 14, verticalAlign: "middle", fill: ink.text, font: "12px " + getComputedStyle(document.body).fontFamily },
    });
    return { type: "group", children };
  };

  // A label in at most so many lines of a width, broken between words, cut with an
  // ellipsis: the library breaks without a bound and lets lines run into each other.
  const pen = document.createElement("canvas").getContext("2d");
  const fit = (text, width, most, font) => {
    pen.font = font;
    const wide = (s) => pen.measureText(s).width > width;
    const lines = [];
    let rest = [...text.replace(/\s+/g, " ").trim()];
    while (rest.length > 0) {
      if (!wide(rest.join(""))) {
        lines.push(rest.join(""));
        break;
      }
      const last = lines.length + 1 === most;
      let n = rest.length;
      while (n > 1 && wide(rest.slice(0, n).join("") + (last ? "…" : ""))) n--;
      if (last) {
        lines.push(rest.slice(0, n).join("").trimEnd() + "…");
        break;
      }
      const space = rest.slice(0, n + 1).lastIndexOf(" ");
      if (space > 0) n = space;
      lines.push(rest.slice(0, n).join(""));
      rest = [...rest.slice(n).join("").trimStart()];
    }
    return lines.join("\n");
  };

  const draw = (box) => {
    const source = document.getElementById(box.dataset.chart);
    const option = dye(JSON.parse(source.textContent));
    const font = getComputedStyle(document.body);
    option.textStyle = Object.assign({ fontFamily: font.fontFamily, color: colour("ink") }, option.textStyle);
    option.backgroundColor = "transparent";
    option.animation = false;
    if (option.tooltip) {
      // An HTML tooltip writes styles into the page, which the policy forbids.
      for (const t of [].concat(option.tooltip)) {
        Object.assign(t, {
          renderMode: "richText", confine: true, backgroundColor: colour("surface"), borderColor: colour("line-strong"),
          textStyle: { color: colour("ink"), fontFamily: font.fontFamily, fontSize: 12 },
        });
        if (box.dataset.tip) t.formatter = (p) => p.data && p.data.tip || p.name;
      }
    }
    // On a narrow screen labels take less of the width.
    const narrow = box.clientWidth < 560;
    for (const axis of option.yAxis || []) {
      const label = axis.axisLabel;
      if (!label || !label.width || !axis.data) continue;
      if (narrow) Object.assign(label, { width: 112, fontSize: 11, lineHeight: 13 });
      const row = box.clientHeight / (axis.data.length + 1.5);
      const most = Math.max(1, Math.floor((row - 4) / label.lineHeight));
      axis.data = axis.data.map((name) => fit(name, label.width, most, (label.fontSize || 12) + "px " + font.fontFamily));
      delete label.width;
    }
    if (narrow) {
      for (const axis of option.xAxis || []) {
        if (axis.type !== "category") axis.splitNumber = 2;
      }
      for (const grid of option.grid || []) if (grid.right === "150") grid.right = "72";
    }
    box.dataset.narrow = narrow;
    for (const s of option.series || []) {
      s.narrow = narrow;
      if (s.type === "custom") s.renderItem = bars(s);
    }
    let chart = echarts.getInstanceByDom(box);
    if (!chart) {
      chart = echarts.init(box, null, { renderer: "canvas" });
      new ResizeObserver(() => {
        chart.resize();
        if (String(box.clientWidth < 560) !== box.dataset.narrow) draw(box);
      }).observe(box);
    }
    chart.setOption(option, true);
    box.dataset.drawn = "true";
  };

  const all = () => {
    for (const box of boxes) {
      try {
        draw(box);
      } catch (e) {
        say(box, "This chart could not be drawn. The table has every figure.");
        console.warn("chart " + box.dataset.chart + ": " + e.message);
      }
    }
  };
  all();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
  new MutationObserver(all).observe(document.documentElement, { attributeFilter: ["data-theme"] });
})();
