/**
 * The built-in model: milliseconds of a text by its word pieces, on one thread, and notes of 50 pieces a second, on
 * all, of `brain import` and
 * `brain reindex`: `node bench/encoder.js`. Of the commands 20 notes are taken off, so that their start is not counted.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brain, scratch } from './brains.js'
import { printMachine, printTable, quantile, sample } from './measure.js'
import { createNotes } from './notes.js'
import { importSource } from './source.js'

const { openBuiltinModel } = await importSource('src/models/builtin-model.ts')
const model = openBuiltinModel('models/brain-encoder-v1')
const { note } = createNotes(11)

/** A text of exactly so many word pieces, or now and then one fewer. */
function textOf(pieces) {
  let words = []
  while (words.length < pieces) words = [...words, ...note().split(' ')]
  while (model.tokenise(words.join(' ')).length > pieces) words.pop()
  return words.join(' ')
}

const rows = []
for (const pieces of [14, 50, 254]) {
  const texts = Array.from({ length: 20 }, () => textOf(pieces))
  // V8 is done with its code after some of them.
  await sample(40, (run) => model.embed(texts[run % texts.length]))
  const took = await sample(Math.ceil(4_000 / pieces), (run) => model.embed(texts[run % texts.length]))
  rows.push([pieces, quantile(took, 0.05), quantile(took, 0.5)])
}

const few = 20
const many = 500
const directory = join(scratch, 'encoder')

/** Seconds of a command over so many notes, in a brain whose import makes their vectors or does not. */
function secondsOf(count, embedder, ...words) {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const notes = Array.from({ length: count }, () => JSON.stringify({ text: textOf(50) }))
  writeFileSync(join(directory, 'notes.jsonl'), `${notes.join('\n')}\n`)
  brain(directory, 'init', '--yes', '--embedder', embedder)
  if (embedder === 'none') {
    brain(directory, 'import', 'notes.jsonl')
    brain(directory, 'config', 'set', 'embedder', 'builtin')
  }
  const start = performance.now()
  brain(directory, ...words)
  return (performance.now() - start) / 1000
}

const rate = (...command) => (many - few) / (secondsOf(many, ...command) - secondsOf(few, ...command))
const rates = [
  ['brain import', rate('builtin', 'import', 'notes.jsonl')],
  ['brain reindex', rate('none', 'reindex')],
]
model.close()
printMachine()
printTable('One text, one thread, milliseconds', ['word pieces', 'p5', 'p50'], rows)
printTable('Notes of 50 pieces', ['command', 'a second'], rates)
