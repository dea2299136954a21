//! The style and the script of the pages.

/// The style: plain, legible on a phone, the panel beside the board where there is room.
pub(super) const STYLE: &str = "body{font:16px/1.4 system-ui,sans-serif;margin:.5rem auto;max-width:80rem;padding:0 .6rem;color:#111;background:#fff}
header{border-bottom:1px solid #bbb;margin-bottom:.5rem;padding-bottom:.2rem}
main{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}
.boards{flex:1 1 30rem;max-width:46rem}
.panel{flex:1 1 20rem;max-width:34rem}
svg.board{width:100%;height:auto;display:block}
svg.graph{width:100%;height:auto}
.wide{overflow-x:auto}
.wall{display:flex;flex-wrap:wrap;gap:.6rem}.wall figure{margin:0;width:14rem}
details details,.leaf{margin-left:1.2rem}figure.small{max-width:20rem}code{font-size:.8rem}
table tr.on td{background:#dbeaf5}
svg .v{cursor:pointer}svg .v:hover{fill-opacity:.12;stroke:#d55e00;stroke-width:1.5}
nav a{display:inline-block;padding:.15rem .5rem;border:1px solid #999;border-radius:.3rem;margin:.1rem;color:#111;text-decoration:none}
nav a.on{background:#0072b2;color:#fff}
table{border-collapse:collapse;font-size:.9rem}th,td{text-align:left;padding:.1rem .5rem;border-bottom:1px solid #ddd;vertical-align:top}
th{font-weight:600;color:#333}
tr.failed td,tr.error td{background:#fde3d3}
pre,textarea{font:13px/1.35 ui-monospace,monospace;white-space:pre-wrap}textarea{width:100%;min-height:18rem}
.fault{color:#a33c00;font-weight:600}
input[type=range]{width:100%}
kbd{border:1px solid #999;border-radius:.2rem;padding:0 .25rem;font-size:.8rem}
@media print{nav,.hint,input{display:none}}
";

/// The script: keys and the slider follow links that the page already has, a click on the board fetches the facts of the
/// vertex, and what the page says is still growing is asked for again.
pub(super) const SCRIPT: &str = r#"'use strict';
const $ = (s) => document.querySelector(s);
const go = (s) => { const a = $(s); if (a) location.href = a.href; };
document.addEventListener('keydown', (e) => {
  if (e.target.matches?.('input:not([type=range]),textarea') || e.ctrlKey || e.altKey || e.metaKey) return;
  const key = {ArrowLeft: '#back', ArrowRight: '#forth', Home: '#first', End: '#end', ArrowUp: '#up', ArrowDown: '#down'}[e.key];
  if (key) { e.preventDefault(); go(key); return; }
  const a = document.querySelector('nav a[data-key="' + CSS.escape(e.key) + '"]');
  if (a) location.href = a.href;
});
const slider = $('#slider');
if (slider) slider.addEventListener('change', () => {
  const node = slider.dataset.nodes.split(',')[slider.value];
  if (node !== undefined) location.href = slider.dataset.href + node;
});
document.addEventListener('click', (e) => {
  const graph = e.target.closest && e.target.closest('svg.graph');
  if (!graph || !slider) return;
  const at = graph.getBoundingClientRect(), d = graph.dataset;
  const x = (e.clientX - at.left) / at.width * graph.viewBox.baseVal.width;
  slider.value = Math.round((x - d.left) / (d.right - d.left) * d.moves);
  slider.dispatchEvent(new Event('change'));
});
const panel = $('#facts');
document.addEventListener('click', async (e) => {
  const v = e.target.closest && e.target.closest('svg .v');
  if (!v || !v.dataset.v || !panel) return;
  if (panel.dataset.follow) { location.href = panel.dataset.follow + v.dataset.v; return; }
  const begun = performance.now();
  try {
    const r = await fetch(panel.dataset.href + encodeURIComponent(v.dataset.v));
    panel.innerHTML = await r.text();
    panel.dataset.at = v.dataset.v;
    panel.dataset.ms = Math.round(performance.now() - begun);
  } catch { panel.textContent = 'The program that made this page has ended.'; }
});
const grow = async (growing) => {
  if (!growing.dataset.href) return;
  try {
    const r = await fetch(growing.dataset.href);
    const text = await r.text();
    const open = [...growing.querySelectorAll('tr[data-id] details[open]')].map((d) => d.closest('tr').dataset.id);
    growing.innerHTML = text;
    for (const id of open) growing.querySelector(`tr[data-id="${CSS.escape(id)}"] details`)?.setAttribute('open', '');
    if (r.ok && !growing.querySelector('[data-done]')) setTimeout(() => grow(growing), Number(growing.dataset.wait || 50));
  } catch { growing.textContent = 'The program that made this page has ended.'; }
};
for (const growing of document.querySelectorAll('.growing')) grow(growing);
"#;
