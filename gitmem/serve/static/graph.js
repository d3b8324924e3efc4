// The graph: spread out by forces, moved and zoomed by mouse, fingers or keys, filtered.
'use strict';

(() => {
  const STEPS = 300;
  const ROOM = { left: 30, right: 190, around: 30 }; // for labels
  const LABEL = { high: 18, before: 24 };
  const MOST_LARGER = 1.25; // as the page's own text

  function show(figure) {
    const svg = figure.querySelector('svg');
    const nodes = [...svg.querySelectorAll('.nodes > a')].map((anchor) => {
      const { e, f } = anchor.transform.baseVal.consolidate().matrix;
      const wide = LABEL.before + anchor.querySelector('text').getComputedTextLength();
      return { anchor, wide, x: e, y: f, near: new Set(), lines: [] };
    });
    const links = [...svg.querySelectorAll('.lines > line')].map((line) => {
      const link = { line, source: nodes[line.dataset.from], target: nodes[line.dataset.to] };
      link.source.near.add(link.target);
      link.target.near.add(link.source);
      link.source.lines.push(line);
      link.target.lines.push(line);
      return link;
    });
    spread(nodes, links);
    const view = moving(svg, () => nodes.filter(({ anchor }) => !anchor.classList.contains('gone')));
    filtering(figure, nodes, links, view);
    quieten(nodes);
    for (const node of nodes) {
      const mark = (on) => [node.anchor, ...node.lines].forEach((part) => part.classList.toggle('near', on));
      node.anchor.addEventListener('focus', () => { mark(true); view.reveal(node); });
      node.anchor.addEventListener('blur', () => mark(false));
      node.anchor.addEventListener('pointerenter', () => mark(true));
      node.anchor.addEventListener('pointerleave', () => mark(false));
    }
  }

  // The same graph is always spread the same way: the forces' chance is a fixed one.
  function spread(nodes, links) {
    d3.forceSimulation(nodes)
      .force('lines', d3.forceLink(links).distance(80))
      .force('apart', d3.forceManyBody().strength(-260).distanceMax(700))
      .force('collide', d3.forceCollide(24))
      .force('labels', () => makeWay(nodes))
      .force('x', d3.forceX().strength(0.035))
      .force('y', d3.forceY().strength(0.06))
      .stop()
      .tick(STEPS);
    for (const { anchor, x, y } of nodes) {
      anchor.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
    for (const { line, source, target } of links) {
      const ends = { x1: source.x, y1: source.y, x2: target.x, y2: target.y };
      Object.entries(ends).forEach(([name, value]) => line.setAttribute(name, value.toFixed(1)));
    }
  }

  // A label stands to the right of its node: what would lie on it goes above or below.
  function makeWay(nodes) {
    for (const node of nodes) {
      for (const other of nodes) {
        const [right, down] = [other.x - node.x, other.y - node.y];
        if (node !== other && right >= 0 && right < node.wide && Math.abs(down) < LABEL.high) {
          const push = (LABEL.high - Math.abs(down)) / 4 * (down < 0 ? -1 : 1);
          node.vy -= push;
          other.vy += push;
        }
      }
    }
  }

  // Of labels that lie on each other those of the nodes with the most links are read; the others
  // show when their node is pointed at.
  function quieten(nodes) {
    const read = [];
    const half = LABEL.high / 2;
    for (const node of [...nodes].sort((a, b) => b.near.size - a.near.size)) {
      const { anchor, x, y, wide } = node;
      const over = ({ x: left, y: high, wide: length }) => !anchor.classList.contains('gone')
        && x < left + length && left < x + wide && Math.abs(y - high) < half;
      const hidden = read.some(over);
      anchor.classList.toggle('quiet', hidden);
      if (!hidden) {
        read.push(node);
      }
    }
  }

  // What is seen of the drawing, and everything that changes it.
  function moving(svg, shown) {
    let box = { x: 0, y: 0, width: 1, height: 1 };
    const set = (next) => {
      box = next;
      svg.setAttribute('viewBox', [box.x, box.y, box.width, box.height].map((n) => n.toFixed(1)).join(' '));
    };
    const all = () => {
      const places = shown();
      const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
      if (places.length) {
        const [x, y] = [Math.min(...xs) - ROOM.left, Math.min(...ys) - ROOM.around];
        const [width, height] = [Math.max(...xs) + ROOM.right - x, Math.max(...ys) + ROOM.around - y];
        // A few nodes are not blown up to fill the page.
        const larger = Math.min(svg.clientWidth / width, svg.clientHeight / height) / MOST_LARGER;
        set({ x, y, width, height });
        if (larger > 1) {
          zoom(larger);
        }
      }
    };
    const zoom = (by, at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }) => set({
      x: at.x - (at.x - box.x) * by, y: at.y - (at.y - box.y) * by, width: box.width * by, height: box.height * by,
    });
    const pan = (dx, dy) => set({ ...box, x: box.x + dx, y: box.y + dy });
    const inside = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const fingers = new Map();
    let moved = 0;
    svg.addEventListener('pointerdown', (event) => {
      moved = 0;
      fingers.set(event.pointerId, event);
    });
    svg.addEventListener('pointermove', (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) {
        return;
      }
      const [from, to] = [inside(before), inside(event)];
      const others = [...fingers.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
      moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
      if (moved > 4) {
        svg.setPointerCapture(event.pointerId); // else a click would never reach a node
      }
      if (others.length) {
        const fixed = inside(others[0]);
        const apart = (point) => Math.max(Math.hypot(point.x - fixed.x, point.y - fixed.y), 1);
        zoom(apart(from) / apart(to), fixed);
      } else {
        pan(from.x - to.x, from.y - to.y);
      }
      fingers.set(event.pointerId, event);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
    }
    // The end of a drag opens nothing; what is opened by a key afterwards is no drag.
    svg.addEventListener('click', (event) => moved > 4 && event.preventDefault(), true);
    svg.addEventListener('keydown', () => { moved = 0; });
    svg.addEventListener('dragstart', (event) => event.preventDefault());
    svg.addEventListener('wheel', (event) => {
      if (event.ctrlKey || svg.contains(document.activeElement)) { // else the page is scrolled
        event.preventDefault();
        zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, inside(event));
      }
    }, { passive: false });
    const step = () => box.width / 10;
    const keys = {
      ArrowLeft: () => pan(-step(), 0), ArrowRight: () => pan(step(), 0), ArrowUp: () => pan(0, -step()),
      ArrowDown: () => pan(0, step()), '+': () => zoom(1 / 1.3), '-': () => zoom(1.3), 0: all,
    };
    svg.addEventListener('keydown', (event) => {
      if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        keys[event.key]();
      }
    });
    const reveal = ({ x, y }) => {
      if (x < box.x || y < box.y || x > box.x + box.width || y > box.y + box.height) {
        set({ ...box, x: x - box.width / 2, y: y - box.height / 2 });
      }
    };
    all();
    return { all, zoom, reveal };
  }

  // Kinds are switched off; with words only what has them is left, and what is beside that.
  function filtering(figure, nodes, links, view) {
    const form = figure.querySelector('[data-filter]');
    const words = form.querySelector('input[type=search]');
    const kinds = [...form.querySelectorAll('input[type=checkbox]')];
    const apply = () => {
      const on = new Set(kinds.filter(({ checked }) => checked).map(({ value }) => value));
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      const has = ({ anchor }) => wanted.every((word) => anchor.getAttribute('aria-label').toLowerCase().includes(word));
      const found = new Set(nodes.filter(has));
      const kept = (node) => on.has(node.anchor.dataset.kind)
        && (found.has(node) || [...node.near].some((other) => wanted.length && found.has(other)));
      nodes.forEach((node) => node.anchor.classList.toggle('gone', !kept(node)));
      const gone = (node) => node.anchor.classList.contains('gone');
      links.forEach(({ line, source, target }) => line.classList.toggle('gone', gone(source) || gone(target)));
      quieten(nodes);
      view.all();
    };
    form.addEventListener('input', apply);
    form.addEventListener('submit', (event) => event.preventDefault());
    const zooms = { in: () => view.zoom(1 / 1.3), out: () => view.zoom(1.3), all: view.all };
    form.querySelectorAll('[data-zoom]').forEach((button) => button.addEventListener('click', zooms[button.dataset.zoom]));
    form.hidden = false;
  }

  document.querySelectorAll('[data-graph]').forEach(show);
})();
