"""Brings the newest question to the top of the window, when it is asked and when it is answered."""

import streamlit as st

SCROLL_SCRIPT = """
(() => {
  const turn = document.querySelector("[data-turn]").dataset.turn;
  const before = window.shownTurn || "";
  const messages = [...document.querySelectorAll("[data-testid=stChatMessage]")].slice(-2);
  window.shownTurn = turn;
  if (turn === before || !messages.length) return;
  const [question, answer] = [messages[0], messages[messages.length - 1]];
  const seen = messages.some((message) => {
    const { top, bottom } = message.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  });
  const ended = before && turn.split(" ")[0] === before.split(" ")[0];
  if (ended && !seen) return;
  let moved = false;
  const notice = () => { moved = true; };
  ["wheel", "touchmove", "keydown"].forEach((kind) =>
    window.addEventListener(kind, notice, { once: true, passive: true }));
  const scroll = () => {
    if (moved) return;
    const long = question.offsetHeight > window.innerHeight / 3;
    const target = long ? answer : question;
    target.style.scrollMarginTop = "4rem";
    target.scrollIntoView({ block: "start" });
  };
  scroll();
  [100, 400, 1000].forEach((time) => setTimeout(scroll, time));
})();
"""
"""It waits for what is drawn late, unless the reader has begun to scroll. Who reads elsewhere when
an answer ends is left there. The Content-Security-Policy knows the script by its hash."""


def scroll_to_newest(turn: str) -> None:
    """Scroll when `turn`, a run and its state ("4f1c ended"), is another than before."""
    st.html(
        f'<i data-turn="{turn}"></i><script>{SCROLL_SCRIPT}</script>', unsafe_allow_javascript=True
    )
