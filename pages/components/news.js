/* Asks every few seconds whether the chat that is shown is still as it was drawn. If not, it has it
   drawn anew, once, by a button that nobody sees. It also gives the input the focus when another
   chat is shown, where that opens no keyboard on the screen. */
(() => {
  const { chat } = document.querySelector("[data-news]").dataset;
  if (chat !== window.focusedChat && matchMedia("(pointer: fine)").matches) {
    window.focusedChat = chat;
    let tries = 20;
    const trying = setInterval(() => {
      const input = document.querySelector("[data-testid=stChatInputTextArea]");
      const isTaken = document.activeElement?.matches("input, textarea, [contenteditable]");
      if (!isTaken) input?.focus({ preventScroll: true });
      if (isTaken || !--tries) clearInterval(trying);
    }, 200);
    ["pointerdown", "keydown"].forEach((kind) =>
      addEventListener(kind, () => clearInterval(trying), { once: true }));
  }
  window.newsTimer ||= setInterval(async () => {
    const mark = document.querySelector("[data-news]");
    if (!mark || document.hidden) return;
    const { news, chat } = mark.dataset;
    const headers = { "X-Scrutineer-Key": localStorage.getItem("scrutineer-key") || "" };
    const reply = await fetch(`./news?chat=${chat}`, { headers }).catch(() => null);
    const now = reply?.ok ? await reply.text() : news;
    const isState = /^[0-9a-f]{16}$/.test(now); // and no page of a proxy that asks for a login
    if (!isState || [news, window.newsDrawn].includes(now) || mark.dataset.news !== news) return;
    window.newsDrawn = now;
    document.querySelector(".st-key-look-for-news button")?.click();
  }, 3000);
})();
