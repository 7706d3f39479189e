import { readFileSync } from 'node:fs'
import { importSource } from '../../bench/source.js'
import { createLab } from './lab.js'
const root = process.cwd()
const sources = await importSource('training/ranking/sources.ts')
const lab = createLab(sources, { model: root + '/models/brain-encoder-v1', cache: '/work/lab/ms', root })
const all = {}
let bins = Array.from({ length: 10 }, () => [0, 0, 0]), none = [0, 0], ans = [0, 0], nine = [0, 0]
const miss = []
for (const f of process.argv.slice(2)) {
  const d = JSON.parse(readFileSync(f, 'utf8'))
  const at = new Map(d.notes.map((n, i) => [n.id, i]))
  const brain = await lab.open(d.notes.map((n) => n.text))
  const mine = {}
  for (const q of d.queries) {
    const r = await brain.recall(q.query)
    const gold = q.gold.map((g) => at.get(g))
    for (const { id, score } of r.slice(0, 5)) {
      const right = gold.includes(id) ? 1 : 0, b = bins[Math.min(9, Math.floor(score * 10))]
      b[0] += score; b[1] += right; b[2]++
      if (score >= 0.9) { nine[0] += right; nine[1]++; if (!right) miss.push(`NINE ${score.toFixed(2)} [${q.kind}] ${q.query} -> ${d.notes[id].text.slice(0, 120)}`) }
    }
    if (q.kind === 'none') { none[1]++; if (!r.some((x) => x.score > 0.3)) none[0]++; else miss.push(`NONE ${r[0].score.toFixed(2)} ${q.query} -> ${d.notes[r[0].id].text.slice(0, 100)}`); continue }
    ans[1]++; if (r.some((x) => gold.includes(x.id) && x.score > 0.3)) ans[0]++
    const place = r.findIndex((x) => gold.includes(x.id))
    for (const o of [all, mine]) for (const k of [q.kind, 'all']) { const a = (o[k] ??= [0, 0, 0]); if (place === 0) a[0]++; if (place >= 0 && place < 10) a[1]++; a[2]++ }
    if (place !== 0 && q.kind !== 'paraphrase') miss.push(`MISS ${place} [${q.kind}] ${q.query} gold: ${d.notes[gold[0]].text.slice(0, 110)} | first: ${r[0] ? d.notes[r[0].id].text.slice(0, 90) : ''}`)
  }
  await brain.close()
  console.log(f, Object.entries(mine).map(([k, a]) => `${k} ${Math.round(100 * a[0] / a[2])}/${Math.round(100 * a[1] / a[2])}`).join('  '))
}
console.log('ALL', Object.entries(all).map(([k, a]) => `${k} ${(100 * a[0] / a[2]).toFixed(0)}/${(100 * a[1] / a[2]).toFixed(0)} (${a[2]})`).join('  '))
const n = bins.reduce((s, b) => s + b[2], 0)
console.log('ECE', (bins.reduce((s, b) => s + Math.abs(b[0] - b[1]), 0) / n).toFixed(3), 'at .9', nine, 'none none above .3', none, 'answered above .3', ans)
console.log(bins.map((b, i) => `${i} n${b[2]} said ${(b[0] / b[2]).toFixed(2)} right ${(b[1] / b[2]).toFixed(2)}`).join('\n'))
if (0) console.log(miss.join('\n'))
