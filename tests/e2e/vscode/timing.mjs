// Times in the page itself, from what the user does to what the user sees.

/** Puts into the page what the measures below need. */
export async function watch(window) {
  await window.page.evaluate(() => {
    // When the mouse came to rest, by the page's own clock.
    globalThis.rested = 0;
    globalThis.addEventListener('mousemove', (event) => (globalThis.rested = event.timeStamp), true);
    /** Gives when each text was first to be seen in what a selector finds. */
    globalThis.seen = (selector, texts, began) =>
      new Promise((resolve) => {
        const times = {};
        const look = () => {
          const found = [...document.querySelectorAll(selector)].filter((one) => one.offsetParent);
          const said = found.map((one) => one.innerText.replace(/\u00a0/g, ' ')).join('\n');
          for (const text of texts) if (said.includes(text)) times[text] ??= performance.now();
          if (texts.every((text) => text in times)) done(true);
        };
        const observer = new MutationObserver(look);
        const timer = setTimeout(() => done(false), 30_000);
        const done = (all) => {
          observer.disconnect();
          clearTimeout(timer);
          const start = began ?? globalThis.rested;
          resolve(all ? texts.map((text) => times[text] - start) : undefined);
        };
        observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
        look();
      });
    /** Gives the longest time without a new frame since the last call. */
    let last = performance.now();
    let longest = 0;
    const frame = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    globalThis.longestFrame = () => {
      const most = longest;
      longest = 0;
      return most;
    };
  });
}

/** Rests the mouse on a word; gives the milliseconds until the hover says each of some texts. */
export async function hovered(window, word, texts) {
  const { page } = window;
  await page.mouse.move(5, 400);
  await page.keyboard.press('Escape');
  await page.locator('.monaco-hover:visible').first().waitFor({ state: 'hidden' });
  await page.waitForTimeout(200);
  const { x, y } = await window.place(word);
  const seen = page.evaluate((wanted) => globalThis.seen('.monaco-hover', wanted), texts);
  await page.mouse.move(x, y);
  const times = await seen;
  if (!times) throw new Error(`the hover on ${word} never said all of: ${texts}`);
  return times;
}

/** Does something; gives the milliseconds until what a selector finds holds a text. */
export async function until(window, selector, text, act) {
  const began = await window.page.evaluate(() => performance.now());
  const seen = window.page.evaluate(
    ([where, what, from]) => globalThis.seen(where, [what], from), [selector, text, began],
  );
  await act();
  const times = await seen;
  if (!times) throw new Error(`waited in vain for: ${text}`);
  return times[0];
}

/** Does something; gives the longest time in milliseconds in which the page drew nothing. */
export async function smoothness(window, act) {
  await window.page.evaluate(() => globalThis.longestFrame());
  await act();
  return window.page.evaluate(() => globalThis.longestFrame());
}

export function median(times) {
  return share(times, 0.5);
}

/** Gives the time below which that share of the times lies. */
export function share(times, part) {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}
