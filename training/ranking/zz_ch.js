import { importSource } from '../../bench/source.js'
import { createLab } from './lab.js'
import { readChanges } from './sets.js'
const root = process.cwd()
const sources = await importSource('training/ranking/sources.ts')
const lab = createLab(sources, { model: root + '/models/brain-encoder-v1', cache: '/work/lab/ms', root })
const counts = new Map()
for (const { notes, written, queries } of readChanges()) {
  const brain = await lab.open(notes, { written, now: Date.UTC(2026, 10, 20) })
  for (const { query, kind, gold, old } of queries) {
    const r = await brain.recall(query); const [first] = r
    const c = counts.get(kind) ?? { all: 0, right: 0, named: 0, outdated: 0, newer: 0, newerRight: 0 }
    c.all++; c.newer += first?.newer.length ?? 0; c.newerRight += (first?.newer ?? []).filter((x) => gold.includes(x)).length
    if (gold.includes(first?.id)) c.right++
    else if (old.includes(first?.id)) c[first.newer.some((id) => gold.includes(id)) ? 'named' : 'outdated']++
    counts.set(kind, c)
  }
  await brain.close()
}
for (const [k, c] of counts) console.log(k, JSON.stringify(c))
