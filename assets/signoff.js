// A draft of a sign-off: after every change the server saves it and gives the statement as
// it would be signed now. Nothing is worked out here, and without this file saving does it.
(() => {
  "use strict";
  const form = document.querySelector("form[data-draft]");
  if (!form) return;
  const one = (s) => document.querySelector(s);
  const text = one("[data-statement]"), fresh = one("[data-fresh]"), saved = one("[data-saved]");
  let timer = 0, asked = 0, busy = 0;

  function rows(answer) {
    for (const [id, words] of Object.entries(answer.rows || {})) {
      const at = document.querySelector(`[data-row="${CSS.escape(id)}"]`);
      if (!at) continue;
      at.textContent = words;
      at.closest(".ack").classList.toggle("miss", words === "not acknowledged" || words === "needs a reason");
    }
    for (const [id, words] of Object.entries(answer.counts || {})) {
      const at = document.querySelector(`[data-count="${CSS.escape(id)}"]`);
      if (at) at.textContent = words;
    }
  }

  function left(answer) {
    one("[data-left]").textContent = answer.left;
    const list = one("[data-left-lines]");
    if (!list) return;
    list.replaceChildren(...(answer.lines || []).map((l) => {
      const li = document.createElement("li"), to = document.createElement(l.Href ? "a" : "span"), words = document.createElement("bdi");
      words.textContent = l.Text;
      if (l.Href) to.href = l.Href;
      to.append(words);
      li.append(to);
      return li;
    }));
  }

  function show(answer) {
    text.textContent = answer.statement;
    text.classList.remove("stale-text");
    for (const [name, value] of Object.entries(answer.hidden)) if (form.elements[name]) form.elements[name].value = value;
    const key = one("[data-passkey='sign']"), link = one("[data-statement-link]"), sign = one("[data-sign]");
    if (key) key.dataset.begin = answer.begin;
    if (link) link.href = answer.text;
    if (sign) sign.textContent = answer.sign;
    rows(answer);
    left(answer);
    if (answer.saved && saved) saved.textContent = answer.saved + ".";
    fresh.textContent = "";
  }

  async function refresh() {
    const mine = ++asked;
    busy++;
    const data = new FormData(form);
    data.delete("password");
    data.delete("assertion");
    try {
      const r = await fetch(form.action + "/preview", {
        method: "POST", body: new URLSearchParams(data), credentials: "same-origin",
        headers: { "Accept": "application/json", "X-CSRF-Token": form.elements.csrf ? form.elements.csrf.value : "" },
      });
      const answer = await r.json();
      if (mine !== asked) return;
      if (!r.ok) throw new Error(answer.message || "The server did not answer as it should.");
      show(answer);
    } catch (e) {
      if (mine === asked) fresh.textContent = "Not up to date: " + e.message;
    } finally {
      busy--;
    }
  }

  function soon(wait) {
    clearTimeout(timer);
    text.classList.add("stale-text");
    fresh.textContent = "Bringing it up to date.";
    timer = setTimeout(() => { timer = 0; refresh(); }, wait);
  }

  form.addEventListener("input", (e) => {
    if (e.target.name === "password") return;
    soon(e.target.tagName === "TEXTAREA" ? 700 : 60);
  });
  // Enter in the password field signs, since that is what a password is typed for.
  const password = form.elements.password;
  if (password) password.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    const sign = one("[data-sign]");
    if (sign) form.requestSubmit(sign);
  });
  // Nobody signs a text that changed under their hand: it is brought up to date first, to
  // be read before the button is pressed again.
  form.addEventListener("submit", async (e) => {
    if (!e.submitter || e.submitter.value !== "sign" || (!timer && !busy)) return;
    e.preventDefault();
    if (timer) { clearTimeout(timer); timer = 0; await refresh(); }
    fresh.textContent = "You changed something a moment ago. Read the statement as it is now, then sign it.";
  });
})();
