// A session step by step: the slider shows what had happened by then.
'use strict';

(() => {
  function play(player) {
    const steps = [...document.querySelector(player.dataset.replay).children];
    const slider = player.querySelector('input');
    const place = player.querySelector('output');
    const show = () => {
      const at = Number(slider.value);
      steps.forEach((step, number) => {
        step.hidden = number >= at;
        step.classList.toggle('now', number === at - 1);
      });
      const heading = steps[at - 1].querySelector('h2').textContent.replace(/\s+/g, ' ').trim();
      const said = player.dataset.said.replace('{at}', at).replace('{all}', steps.length);
      place.textContent = said;
      slider.setAttribute('aria-valuetext', `${said}: ${heading}`);
    };
    slider.addEventListener('input', () => {
      show();
      steps[Number(slider.value) - 1].scrollIntoView({ block: 'nearest' });
    });
    player.addEventListener('submit', (event) => event.preventDefault());
    player.hidden = false;
    show();
  }

  const begin = () => document.querySelectorAll('form[data-replay]').forEach(play);
  document.addEventListener('renewed', begin);
  begin();
})();
