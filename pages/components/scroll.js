/* Brings the newest question to the top of the window, and a cited quote into its middle.

   It waits for what is drawn late, unless the reader has begun to scroll or to click: a press that
   is let go elsewhere, since the page scrolled between, is no click. Who reads elsewhere when an
   answer ends is left there. The page beside the answer makes that narrower and all of it longer:
   its quote is found again. */
(() => {
  const { turn, cited } = document.querySelector("[data-turn]").dataset;
  const [before, opened] = [window.shownTurn || "", window.shownCitation || ""];
  Object.assign(window, { shownTurn: turn, shownCitation: cited });
  const messages = [...document.querySelectorAll("[data-testid=stChatMessage]")].slice(-2);
  const [question, answer] = [messages[0], messages[messages.length - 1]];
  const quote = document.querySelector(`.st-key-cite-${cited || opened}`);
  let target, block = "start";
  if (before && cited && cited !== opened && quote) {
    [target, block] = [quote, "center"];  // also where the answer ended in the same moment
  } else if (turn !== before && question) {
    const seen = messages.some((message) => {
      const { top, bottom } = message.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    });
    const ended = before && turn.split(" ")[0] === before.split(" ")[0];
    if (ended && !seen) return;
    target = question.offsetHeight > window.innerHeight / 3 ? answer : question;
  } else if (turn === before && cited !== opened) {
    [target, block] = [quote, "center"];
  }
  if (!target) return;
  let moved = false;
  const notice = () => { moved = true; };
  ["wheel", "touchmove", "keydown", "pointerdown"].forEach((kind) =>
    window.addEventListener(kind, notice, { once: true, passive: true }));
  const scroll = () => {
    if (moved) return;
    target.style.scrollMarginTop = "4rem";
    target.scrollIntoView({ block });
  };
  scroll();
  [100, 400, 1000].forEach((time) => setTimeout(scroll, time));
})();
