// Shows a page anew when something changed in its repository.
'use strict';

(() => {
  const events = new EventSource(`${document.body.dataset.root}/live`);
  let busy = false;
  let answered = false; // a part of this page was asked for: to renew it would lose that
  document.addEventListener('htmx:afterSwap', () => { answered = true; });

  // Who is typing, or has opened something, keeps the page: a line on top offers the new one.
  function inUse() {
    const field = document.activeElement?.closest('main input, main textarea, main select');
    const filled = [...document.querySelectorAll('main textarea')].some((area) => area.value !== '');
    return Boolean(field) || filled || answered
      || document.querySelector('main details[open], main [data-graph]') !== null;
  }

  async function renew() {
    if (document.querySelector('main form[data-live]')) {
      document.dispatchEvent(new Event('changed')); // its answer alone is asked for again
      return;
    }
    if (busy) {
      return;
    }
    busy = true;
    try {
      const answer = await fetch(location.href);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.querySelector('main');
      const shown = document.querySelector('main');
      if (!answer.ok || !fresh || fresh.innerHTML === shown.innerHTML) {
        return;
      }
      if (inUse()) {
        document.getElementById('renew').hidden = false;
      } else {
        shown.replaceWith(fresh);
        htmx.process(fresh);
        document.dispatchEvent(new Event('renewed'));
      }
    } finally {
      busy = false;
    }
  }

  events.addEventListener('changed', renew);
  addEventListener('pagehide', () => events.close());
})();
