// Keeps the key of this browser where no other port of this host gets it, unlike a cookie: in the
// storage of this origin. The WebSocket, uploads and the door ask for it.
(() => {
  const { key, path } = document.currentScript.dataset;
  if (key) {
    localStorage.setItem("scrutineer-key", key);
    location.replace(path);
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
    if (reply.status === 403) document.body.replaceChildren(await reply.text());
  });
})();
