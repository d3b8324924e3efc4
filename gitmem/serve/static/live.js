// Shows a page anew when something changed in its repository.
'use strict';

(() => {
  let events;
  let busy = false;
  let again = false; // something more changed while the page was fetched
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
      again = true;
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
      if (again) {
        again = false;
        renew();
      }
    }
  }

  // A page that somebody comes back to, or whose connection broke, has missed what changed.
  let missed = performance.getEntriesByType('navigation')[0].type === 'back_forward';

  function listen() {
    events = new EventSource(`${document.body.dataset.root}/live`);
    events.addEventListener('changed', renew);
    events.addEventListener('open', () => {
      if (missed) {
        renew();
      }
      missed = true;
    });
  }

  addEventListener('pagehide', () => events.close());
  addEventListener('pageshow', (event) => event.persisted && listen());
  listen();

  // What was typed, or chosen, before the scripts ran has no answer yet.
  addEventListener('DOMContentLoaded', () => {
    const fields = [...document.querySelectorAll('main form[data-live] input')];
    if (fields.some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked)) {
      document.dispatchEvent(new Event('changed'));
    }
  });
})();
