// Small comforts. Every page works without them.
"use strict";
(() => {
  // "/" goes to the search box, unless somebody is typing.
  document.addEventListener("keydown", (e) => {
    if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey) return;
    const t = e.target;
    if (t instanceof HTMLElement && (t.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(t.tagName))) return;
    const box = document.getElementById("find");
    if (!box) return;
    e.preventDefault();
    box.focus();
    box.select();
  });

  // A marked place without a fragment in the address is scrolled to all the same.
  const place = document.getElementById("place");
  if (place && !location.hash) place.scrollIntoView({ block: "center", behavior: "instant" });

  // What is wrong with a form is read first.
  const fault = document.querySelector("[data-focus]");
  if (fault) fault.focus();

  // A copy button beside every digest chip that carries its whole digest.
  if (!navigator.clipboard) return;
  const said = document.createElement("span");
  said.className = "vh";
  said.setAttribute("role", "status");
  document.body.append(said);
  for (const chip of document.querySelectorAll(".dig[title^='sha256:']")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.title = "Copy the whole digest";
    button.setAttribute("aria-label", "Copy the whole digest " + chip.textContent.trim());
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(chip.title.slice("sha256:".length));
        button.textContent = "copied";
        said.textContent = "Digest copied";
      } catch {
        button.textContent = "not copied";
        said.textContent = "The browser did not allow copying";
      }
      setTimeout(() => { button.textContent = "copy"; }, 2000);
    });
    chip.after(button);
  }
})();
