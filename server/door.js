// Keeps the key of this browser where no other port of this host gets it, unlike a cookie: in the
// storage of this origin. The WebSocket, uploads and the door ask for it. The address of a rule that
// a stranger opened waits there until they are let in.
(() => {
  const { key, path } = document.currentScript.dataset;
  if (key) {
    const wanted = localStorage.getItem("scrutineer-rule");
    localStorage.removeItem("scrutineer-rule");
    localStorage.setItem("scrutineer-key", key);
    location.replace(path.endsWith("/") && wanted || path);
    return;
  }
  const kept = () => localStorage.getItem("scrutineer-key") || "";
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(address, [name, token, session = "new"]) {
      super(address, [name, token, session, kept() || "none"]);
      this.addEventListener("close", ({ code }) => code === 1008 && location.reload());
    }
  };
  const open = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (...request) {
    open.apply(this, request);
    this.setRequestHeader("X-Scrutineer-Key", kept());
  };
  const asked = fetch("./door", { headers: { "X-Scrutineer-Key": kept() } });
  addEventListener("DOMContentLoaded", async () => {
    const reply = await asked;
    const isRule = new URLSearchParams(location.search).has("rule");
    if (reply.status !== 204 && isRule) localStorage.setItem("scrutineer-rule", location.href);
    if (reply.status === 403) document.body.replaceChildren(await reply.text());
  });
})();
