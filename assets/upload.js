// Hands files in one at a time, with progress: the form of the intake page works without
// it, and then is sent as a whole. What became of a file is written by the server; this
// script only puts the row in its place.
"use strict";
(() => {
  const form = document.querySelector("form[data-upload]");
  if (!form || !window.FormData || !window.XMLHttpRequest) return;
  const panel = form.closest("section");
  const results = panel.querySelector("[data-results]");
  const body = results.querySelector("tbody");
  const tally = results.querySelector("[data-tally]");
  const reload = results.querySelector("[data-reload]");
  const stop = form.querySelector("[data-stop]");
  const max = Number(form.dataset.max);
  const MOST = 10000;
  const AT_ONCE = 2;

  form.querySelector("[data-drop-words]").hidden = false;

  const cell = (label, ...inside) => {
    const td = document.createElement("td");
    td.setAttribute("role", "cell");
    td.dataset.l = label;
    const span = document.createElement("span");
    span.append(...inside);
    td.append(span);
    return td;
  };

  // A row for a file that waits or is on its way.
  const waiting = (name) => {
    const tr = document.createElement("tr");
    tr.setAttribute("role", "row");
    tr.dataset.testid = "going";
    const th = document.createElement("th");
    th.setAttribute("role", "rowheader");
    th.scope = "row";
    th.className = "mono";
    th.textContent = name;
    const bar = document.createElement("progress");
    bar.max = 1;
    bar.value = 0;
    bar.setAttribute("aria-label", "Sent of " + name);
    const words = document.createElement("span");
    words.className = "sub";
    words.textContent = "waits";
    tr.append(th, cell("State", bar, words), cell("Found", ""), cell("Runs", ""));
    body.append(tr);
    return { tr, bar, words };
  };

  // refuse ends a row without the server: nothing of the file is kept.
  const refuse = (row, why) => {
    row.bar.remove();
    row.words.textContent = "not taken in";
    row.tr.dataset.testid = "refused";
    row.tr.children[2].replaceChildren(document.createTextNode(why));
    count("not taken in");
  };

  const counts = new Map();
  let queue = [];
  let going = 0;
  let all = 0;
  let ended = 0;

  const say = () => {
    const ends = [...counts].map(([word, n]) => n + " " + word).join(", ");
    tally.textContent = ended < all
      ? ended + " of " + all + " files" + (ends ? ": " + ends : "")
      : all + (all === 1 ? " file: " : " files: ") + ends;
    stop.hidden = queue.length === 0;
    reload.hidden = ended < all;
  };
  const count = (word) => {
    counts.set(word, (counts.get(word) || 0) + 1);
    ended++;
    say();
  };

  const send = (job) => {
    going++;
    const { file, name, row } = job;
    const data = new FormData();
    if (job.campaign) data.append("campaign", job.campaign);
    data.append("file", file, name);
    const request = new XMLHttpRequest();
    request.open("POST", form.action + "?view=rows");
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    if (job.token) request.setRequestHeader("Authorization", "Bearer " + job.token);
    request.upload.addEventListener("progress", (e) => {
      if (!e.lengthComputable || e.total === 0) return;
      row.bar.value = e.loaded / e.total;
      row.words.textContent = e.loaded < e.total ? Math.floor(100 * e.loaded / e.total) + " % sent" : "is being read";
    });
    request.addEventListener("loadend", () => {
      going--;
      const page = request.response;
      const rows = page ? [...page.querySelectorAll("tbody > tr")] : [];
      if (rows.length > 0) {
        row.tr.replaceWith(...rows.map((r) => document.importNode(r, true)));
        for (const r of rows) {
          const state = r.querySelector("[data-state]");
          count(state ? state.dataset.state : "taken in");
        }
      } else if (page && request.status) {
        const why = page.querySelector("[data-testid='problem'] strong") || page.querySelector("[data-fault]");
        refuse(row, why ? why.textContent.trim() : "The server answered with " + request.status + ".");
      } else {
        refuse(row, "The connection broke off. Nothing of a file that was not sent whole is kept; try it again.");
      }
      next();
    });
    row.words.textContent = "0 % sent";
    request.send(data);
  };

  const next = () => {
    while (going < AT_ONCE && queue.length > 0) send(queue.shift());
    say();
  };

  // add queues files; the campaign and token are those of this moment.
  const add = (files) => {
    if (files.length === 0) return;
    const token = form.elements.token ? form.elements.token.value.trim() : "";
    if (form.elements.token && !token) {
      form.elements.token.reportValidity();
      return;
    }
    const campaign = form.elements.campaign.value.trim();
    results.hidden = false;
    if (ended === all) {
      counts.clear();
      all = 0;
      ended = 0;
      body.replaceChildren();
    }
    all += files.length;
    for (const { file, name } of files) {
      const row = waiting(name);
      if (file.size > max) refuse(row, "Larger than " + form.dataset.maxWords + ", the most that is taken in here.");
      else queue.push({ file, name, row, campaign, token });
    }
    next();
  };

  const chosen = (input) => [...input.files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const inputs = [...form.querySelectorAll("input[type='file']")];
    const files = inputs.flatMap(chosen).slice(0, MOST);
    if (files.length === 0) {
      inputs[0].focus();
      return;
    }
    add(files);
    for (const input of inputs) input.value = "";
  });
  stop.addEventListener("click", () => {
    for (const job of queue) refuse(job.row, "Stopped before it was sent.");
    queue = [];
    say();
  });

  // What is dropped: files, and folders with all that is below them.
  const below = async (entry, into) => {
    if (into.length >= MOST) return;
    if (entry.isFile) {
      const file = await new Promise((ok, no) => entry.file(ok, no)).catch(() => null);
      if (file) into.push({ file, name: entry.fullPath.replace(/^\//, "") });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((ok, no) => reader.readEntries(ok, no)).catch(() => []);
      if (some.length === 0) return;
      for (const e of some) await below(e, into);
    }
  };
  const dropped = async (transfer) => {
    // The list is emptied once this turn ends: entries are taken from it first.
    const entries = [...transfer.items].map((i) => i.webkitGetAsEntry && i.webkitGetAsEntry()).filter(Boolean);
    if (entries.length === 0) return [...transfer.files].map((file) => ({ file, name: file.name }));
    const into = [];
    for (const e of entries) await below(e, into);
    return into;
  };
  const files = (e) => e.dataTransfer && [...e.dataTransfer.types].includes("Files");
  panel.addEventListener("dragover", (e) => {
    if (!files(e)) return;
    e.preventDefault();
    e.dataTransfer.dropEffect = "copy";
    panel.classList.add("over");
  });
  panel.addEventListener("dragleave", (e) => {
    if (!panel.contains(e.relatedTarget)) panel.classList.remove("over");
  });
  panel.addEventListener("drop", async (e) => {
    if (!files(e)) return;
    e.preventDefault();
    panel.classList.remove("over");
    add(await dropped(e.dataTransfer));
  });
})();
