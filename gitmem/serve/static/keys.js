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
      (document.querySelector('main form[action$="/search"] [name=q]') ?? document.querySelector('[name=q]'))?.focus();
    } else if (event.key === 'j') {
      select(1);
    } else if (event.key === 'k') {
      select(-1);
    } else if (event.key === '?') {
      document.getElementById('keys').showModal();
    }
  });

  // A field of one line would take the lines of a pasted error for one. What tells most is at its end.
  document.addEventListener('paste', (event) => {
    const field = event.target.closest('form[action$="/search"] input[type=search]');
    const text = event.clipboardData.getData('text').trim();
    if (field && !field.value && text.includes('\n')) {
      event.preventDefault();
      location.assign(`${field.form.action}?q=${encodeURIComponent(text.slice(-4000))}`);
    }
  });

  // What was chosen is gone once an answer stands in its place.
  document.addEventListener('htmx:afterSwap', () => { at = -1; });

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-opens]');
    if (button) {
      document.getElementById(button.dataset.opens).showModal();
    }
  });
})();
