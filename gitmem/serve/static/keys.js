// Keys: / search, j and k the next and the previous record, Enter opens it, ? what there is.
'use strict';

(() => {
  const items = () => [...document.querySelectorAll('.hits > li, .rows > li')];
  let at = -1;

  function select(step) {
    const all = items();
    if (all.length === 0) {
      return;
    }
    all[at]?.classList.remove('selected');
    at = Math.max(0, Math.min(all.length - 1, at + step));
    all[at].classList.add('selected');
    all[at].scrollIntoView({ block: 'nearest' });
    all[at].querySelector('a')?.focus();
  }

  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest('input, textarea, select');
    if (typing) {
      if (event.key === 'Escape') {
        typing.blur();
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('dialog[open]')) {
      return;
    }
    if (event.key === '/') {
      event.preventDefault();
      (document.querySelector('main input[type=search]') ?? document.querySelector('input[type=search]'))?.focus();
    } else if (event.key === 'j') {
      select(1);
    } else if (event.key === 'k') {
      select(-1);
    } else if (event.key === '?') {
      document.getElementById('keys').showModal();
    }
  });

  // The answer to a form marked so is put into its place while somebody types.
  function answerWhileTyping(form) {
    const place = document.querySelector(form.dataset.live);
    let latest = 0;
    let waiting;
    const ask = async () => {
      const turn = ++latest;
      const query = new URLSearchParams(new FormData(form));
      const answer = await fetch(`${form.action}?${query}`, { headers: { 'hx-request': 'true' } });
      if (turn === latest && answer.ok) {
        place.innerHTML = await answer.text();
        history.replaceState(null, '', `?${query}`);
        at = -1;
      }
    };
    form.addEventListener('input', () => {
      clearTimeout(waiting);
      waiting = setTimeout(ask, 120);
    });
    document.addEventListener('changed', ask);
  }

  document.querySelectorAll('form[data-live]').forEach(answerWhileTyping);
})();
