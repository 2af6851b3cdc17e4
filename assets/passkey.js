// Passkeys: signing in, adding one, proving who signs. The server makes every challenge
// and checks every answer; this file carries them to the authenticator and back.
(() => {
  "use strict";
  const decode = (s) => Uint8Array.from(atob(s.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const encode = (b) => btoa(String.fromCharCode(...new Uint8Array(b))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const within = (list) => (list || []).map((c) => ({ ...c, id: decode(c.id) }));

  async function post(url, csrf, body) {
    const headers = { "Accept": "application/json", "Content-Type": "application/json" };
    if (csrf) headers["X-CSRF-Token"] = csrf;
    const r = await fetch(url, { method: "POST", headers, body: body === undefined ? "{}" : JSON.stringify(body), credentials: "same-origin" });
    const answer = await r.json().catch(() => ({}));
    if (!r.ok) throw new Error(answer.message || "The server did not answer as it should.");
    return answer;
  }

  async function get(options) {
    const k = options.publicKey;
    const c = await navigator.credentials.get({ publicKey: { ...k, challenge: decode(k.challenge), allowCredentials: within(k.allowCredentials) } });
    const r = c.response;
    return {
      id: c.id, rawId: encode(c.rawId), type: c.type, authenticatorAttachment: c.authenticatorAttachment || undefined,
      clientExtensionResults: c.getClientExtensionResults(),
      response: {
        authenticatorData: encode(r.authenticatorData), clientDataJSON: encode(r.clientDataJSON), signature: encode(r.signature),
        userHandle: r.userHandle ? encode(r.userHandle) : undefined,
      },
    };
  }

  async function create(options) {
    const k = options.publicKey;
    const c = await navigator.credentials.create({ publicKey: { ...k, challenge: decode(k.challenge), user: { ...k.user, id: decode(k.user.id) }, excludeCredentials: within(k.excludeCredentials) } });
    const r = c.response;
    return {
      id: c.id, rawId: encode(c.rawId), type: c.type, authenticatorAttachment: c.authenticatorAttachment || undefined,
      clientExtensionResults: c.getClientExtensionResults(),
      response: { attestationObject: encode(r.attestationObject), clientDataJSON: encode(r.clientDataJSON), transports: r.getTransports ? r.getTransports() : [] },
    };
  }

  const ceremonies = {
    async signin() {
      const answer = await get(await post("/signin/passkey/begin"));
      location.assign((await post("/signin/passkey/finish", "", answer)).next);
    },
    async register(el) {
      const csrf = el.dataset.csrf, label = el.querySelector("[data-passkey-label]").value;
      const answer = await create(await post("/account/passkeys/begin", csrf));
      location.assign((await post("/account/passkeys/finish?label=" + encodeURIComponent(label), csrf, answer)).next);
    },
    // The form is sent as it is, with the authenticator's answer in a hidden field.
    async sign(el) {
      const form = el.closest("form"), csrf = form.elements.csrf.value;
      const answer = await get(await post(el.dataset.begin, csrf));
      form.elements.assertion.value = JSON.stringify(answer);
      form.requestSubmit(el.querySelector("[data-passkey-submit]"));
    },
  };

  for (const el of document.querySelectorAll("[data-passkey]")) {
    const start = el.querySelector("[data-passkey-start]"), says = el.querySelector("[data-passkey-says]");
    if (!start) continue;
    if (!window.PublicKeyCredential) {
      if (says) says.textContent = "This browser has no passkeys here.";
      start.disabled = true;
      continue;
    }
    start.hidden = false;
    start.addEventListener("click", async () => {
      start.disabled = true;
      if (says) says.textContent = "Waiting for your authenticator.";
      try {
        await ceremonies[el.dataset.passkey](el);
        if (says) says.textContent = "Done.";
      } catch (e) {
        if (says) says.textContent = e.name === "NotAllowedError" ? "The authenticator was not used. Try again." : e.message;
      } finally {
        start.disabled = false;
      }
    });
  }
})();
