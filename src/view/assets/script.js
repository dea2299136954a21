'use strict';
// Keys, clicks and the slider follow links that a page already has. A page is fetched and put in place of the one before,
// so that a key pressed while a picture is on its way is counted: pictures in between are left out, moves are not.
const $ = (s) => document.querySelector(s);
const gone = 'The program that made this page has ended.';
let wanted = null, busy = false, later = [];

const nodesOf = (slider) => slider.all ??= slider.dataset.nodes.split(',').flatMap((part) => {
  const [from, to] = part.split('-').map(Number);
  return to === undefined ? [from] : Array.from({length: to - from + 1}, (_, i) => from + i);
});

const swap = (text, url, push) => {
  const next = new DOMParser().parseFromString(text, 'text/html');
  const page = next.querySelector('#page');
  if (!page) { location.href = url; return; }
  const active = document.activeElement, old = $('#page');
  const key = active?.id ? '#' + CSS.escape(active.id)
    : active?.dataset?.key ? `[data-key="${CSS.escape(active.dataset.key)}"]` : null;
  const open = [...old.querySelectorAll('details[id][open]')].map((d) => d.id);
  const graph = old.querySelector('.growing[data-line]'), same = page.querySelector('.growing[data-line]');
  const scrolled = window.scrollY;
  document.title = next.title;
  $('.top b').textContent = next.querySelector('.top b').textContent;
  old.replaceWith(page);
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  if (graph && same && graph.dataset.line === same.dataset.line) {
    graph.dataset.href = same.dataset.href;
    same.replaceWith(graph);
    const at = Number(same.dataset.at);
    for (const svg of graph.querySelectorAll('svg.graph')) {
      const d = svg.dataset, x = Number(d.left) + (d.right - d.left) * at / Math.max(1, d.moves);
      svg.querySelector('.here')?.setAttribute('transform', `translate(${x.toFixed(1)})`);
    }
  }
  // What grew on the page before needs no answers any more.
  for (const growing of old.querySelectorAll('.growing')) growing.stop?.abort();
  if (push) history.pushState(null, '', url);
  if (key) $(key)?.focus({preventScroll: true});
  if (url.includes('#')) document.getElementById(url.split('#')[1])?.scrollIntoView(); else window.scrollTo(0, scrolled);
  $('#live').textContent = $('#page').dataset.said || next.title;
  begin();
  document.dispatchEvent(new Event('shown'));
};

const show = async (url, push = true) => {
  wanted = url;
  if (busy) return;
  busy = true;
  while (wanted) {
    const now = wanted;
    wanted = null;
    try {
      const r = await fetch(now), text = await r.text();
      if (wanted) continue;
      const to = r.redirected || !now.includes('#') ? r.url : r.url + '#' + now.split('#')[1];
      swap(text, to, push);
    } catch { $('#live').textContent = gone; $('.top b').textContent = gone; break; }
    if (!wanted && later.length) follow(later.shift());
  }
  busy = false;
};

// The address of a link, of a picture's too; null if it leads elsewhere or is a file to keep.
const ours = (a) => {
  const href = a?.getAttribute('href');
  if (!href || href.startsWith('#') || a.hasAttribute('download') || a.hasAttribute('target')) return null;
  const url = new URL(href, location.href);
  return url.origin === location.origin && url.pathname.split('/')[1] === location.pathname.split('/')[1] ? url.href : null;
};
const follow = (selector) => { const to = ours($(selector)); if (to) show(to); };

const move = (to) => {
  const slider = $('#slider');
  if (!slider) return false;
  const value = Math.max(0, Math.min(Number(slider.max), to(Number(slider.value), Number(slider.max))));
  if (value === Number(slider.value) && !slider.dataset.tried) return true;
  slider.value = value;
  slider.dispatchEvent(new Event('change', {bubbles: true}));
  return true;
};
const steps = {ArrowLeft: (v) => v - 1, ArrowRight: (v) => v + 1, Home: () => 0, End: (_, m) => m};
const links = {ArrowLeft: '#back', ArrowRight: '#forth', Home: '#first', End: '#end', ArrowUp: '#up', ArrowDown: '#down'};

document.addEventListener('keydown', (e) => {
  if (e.target.matches?.('input:not([type=range]),textarea,select') || e.ctrlKey || e.altKey || e.metaKey) return;
  const slider = $('#slider');
  if (links[e.key]) {
    if (!$('#way')) return;
    e.preventDefault();
    if (steps[e.key] && slider && !slider.dataset.tried) move(steps[e.key]);
    else if (busy) later.push(links[e.key]);
    else follow(links[e.key]);
    return;
  }
  const key = `a[data-key="${CSS.escape(e.key)}"]`;
  if (e.key.length === 1 && $(key)) busy ? later.push(key) : follow(key);
});

document.addEventListener('input', (e) => {
  const out = $('#place');
  if (e.target.id === 'slider' && out) out.textContent = e.target.value;
});
// In the capture phase, because a change that a script makes does not bubble.
document.addEventListener('change', (e) => {
  const slider = e.target;
  if (slider.id === 'slider') {
    const node = nodesOf(slider)[slider.value], out = $('#place');
    if (out) out.textContent = slider.value;
    if (node !== undefined) show(new URL(slider.dataset.href + node, location.href).href);
  } else if (slider.id === 'file' && slider.files[0]) take(slider.files[0]);
}, true);

document.addEventListener('click', (e) => {
  const to = ours(e.target.closest?.('a'));
  if (to && !e.ctrlKey && !e.metaKey && !e.shiftKey && e.button === 0) {
    e.preventDefault();
    show(to);
    return;
  }
  if (e.target.closest?.('#play')) { play(); return; }
  const graph = e.target.closest?.('svg.graph'), slider = $('#slider');
  if (graph && slider && !e.target.closest('a')) {
    const at = graph.getBoundingClientRect(), d = graph.dataset;
    const x = (e.clientX - at.left) / at.width * graph.viewBox.baseVal.width;
    move(() => Math.round((x - d.left) / (d.right - d.left) * d.moves));
    return;
  }
  const v = e.target.closest?.('svg .v');
  if (v?.dataset.v) point(v.dataset.v);
});

// An answer in its place: a page's part as it is, and any other text, as that of a fault, as text.
const put = (place, answer, text) => {
  if ((answer.headers.get('content-type') || '').startsWith('text/html')) place.innerHTML = text;
  else place.textContent = text;
};

// A click on the board: the move of the person who plays, or the facts of the vertex.
const point = async (vertex) => {
  const panel = $('#facts');
  if (!panel) return;
  if (panel.dataset.follow) { show(new URL(panel.dataset.follow + encodeURIComponent(vertex), location.href).href); return; }
  const begun = performance.now();
  try {
    const r = await fetch(panel.dataset.href + encodeURIComponent(vertex));
    put(panel, r, await r.text());
    begin();
    panel.dataset.at = vertex;
    panel.dataset.ms = Math.round(performance.now() - begun);
  } catch { panel.textContent = gone; }
};

let timer = null;
const play = () => {
  const button = $('#play');
  if (timer || !button) { clearInterval(timer); timer = null; } else {
    timer = setInterval(() => {
      const slider = $('#slider');
      if (slider && !slider.dataset.tried && Number(slider.value) < Number(slider.max)) { if (!busy) move(steps.ArrowRight); }
      else if ($('a#forth')) { if (!busy) follow('#forth'); }
      else play();
    }, 900);
  }
  label();
};
const label = () => {
  const button = $('#play');
  if (!button) return;
  button.hidden = false;
  button.setAttribute('aria-pressed', String(!!timer));
  button.querySelector('b').textContent = timer ? 'Pause' : 'Play';
  button.querySelector('path').setAttribute('d', timer ? 'M3 2h4v12H3zM9 2h4v12H9z' : 'M4 2l9 6-9 6z');
};

// A file dropped on the window or chosen: its bytes go to the program, which shows it.
const take = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length > 160 * 1024) { $('.top b').textContent = `${file.name} is larger than 160 KiB; start the program with it instead.`; return; }
  const hex = Array.from(bytes, (b) => b < 128 && /[A-Za-z0-9]/.test(String.fromCharCode(b)) ? String.fromCharCode(b)
    : '%' + b.toString(16).padStart(2, '0')).join('');
  try {
    const r = await fetch('drop', {method: 'POST', body: `name=${encodeURIComponent(file.name)}&bytes=${hex}`});
    swap(await r.text(), r.url, true);
  } catch { $('.top b').textContent = gone; }
};
document.addEventListener('dragover', (e) => { e.preventDefault(); document.body.classList.add('drag'); });
document.addEventListener('dragleave', () => document.body.classList.remove('drag'));
document.addEventListener('drop', (e) => {
  e.preventDefault();
  document.body.classList.remove('drag');
  const file = e.dataTransfer?.files[0];
  if (file) take(file);
});

document.addEventListener('submit', (e) => {
  const form = e.target;
  if (form.method !== 'get' || !form.action) return;
  e.preventDefault();
  const url = new URL(form.action);
  url.search = new URLSearchParams(new FormData(form, e.submitter)).toString();
  show(url.href);
});
window.addEventListener('popstate', () => show(location.href, false));

const grow = async (growing) => {
  if (!growing.dataset.href || !growing.isConnected) return;
  const asked = growing.dataset.href;
  try {
    growing.stop = new AbortController();
    const r = await fetch(asked, {signal: growing.stop.signal});
    const text = await r.text();
    if (!growing.isConnected) return;
    if (asked === growing.dataset.href) {
      const open = [...growing.querySelectorAll('tr[data-id] details[open]')].map((d) => d.closest('tr').dataset.id);
      put(growing, r, text);
      reach();
      for (const id of open) growing.querySelector(`tr[data-id="${CSS.escape(id)}"] details`)?.setAttribute('open', '');
      begin();
    }
    if (r.ok && !growing.querySelector('[data-done]')) setTimeout(() => grow(growing), Number(growing.dataset.wait || 50));
    else growing.over = true;
  } catch (e) { if (e.name !== 'AbortError') growing.textContent = gone; }
};

// What scrolls sideways can be scrolled by the keyboard.
const reach = () => {
  for (const e of document.querySelectorAll('#page table, .wide')) if (e.scrollWidth > e.clientWidth) e.tabIndex = 0;
};
window.addEventListener('resize', reach);
document.addEventListener('toggle', reach, true);

// A rulesheet that is saved anew: the page asks for itself again.
let watching = null;
const look = async (watch) => {
  try {
    const r = await fetch('changes'), text = await r.text();
    if (!r.ok || text.trim() === watch.dataset.version || !watch.isConnected || busy) return;
    await show(watch.dataset.to, false);
    // The address has the moves under the new rules.
    if ($('#watch')) history.replaceState(null, '', $('#watch').dataset.to);
  } catch { clearInterval(watching); $('#live').textContent = gone; $('.top b').textContent = gone; }
};

const begin = () => {
  reach();
  for (const growing of document.querySelectorAll('.growing')) {
    const when = growing.closest('details');
    if (growing.begun || (when && !when.open)) { if (when) when.addEventListener('toggle', begin, {once: true}); continue; }
    growing.begun = true;
    grow(growing);
  }
  label();
  clearInterval(watching);
  const watch = $('#watch');
  if (watch) watching = setInterval(() => look(watch), 500);
  const tree = $('.tree'), here = tree?.querySelector('.here');
  if (here) { tree.scrollLeft = here.cx.baseVal.value - tree.clientWidth / 2; tree.scrollTop = here.cy.baseVal.value - tree.clientHeight / 2; }
};
begin();
