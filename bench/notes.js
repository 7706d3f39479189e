/**
 * Made-up notes that behave like real ones: Zipfian words, topics that share words, 15 to 40 words each. The
 * same seed gives the same notes on every machine.
 */
import { readFileSync } from 'node:fs'

/** Uniform numbers in 0..1 from a seed (mulberry32). */
export function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Words of the built-in model's vocabulary: it lists them by how common they are, as Zipf's law wants them. */
function readWords() {
  const file = new URL('../models/brain-encoder-v1/tokenizer.json', import.meta.url)
  const { model } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.keys(model.vocab).filter((piece) => /^[a-z]{2,}$/.test(piece))
}

const topics = 400
const wordsPerTopic = 120

/** Creates a source of notes: `note()` is a text, `query()` the kind of words a person would ask with. */
export function createNotes(seed) {
  const random = createRandom(seed)
  const words = readWords()
  // Inverse of the cumulative 1/rank distribution, closely enough.
  const zipf = () => words[Math.floor(Math.exp(random() * Math.log(words.length)))] ?? words[0]
  const rare = () => words[Math.floor(random() * words.length)]
  const vocabularies = Array.from({ length: topics }, () => Array.from({ length: wordsPerTopic }, rare))
  const fromTopic = (topic) => topic[Math.floor(random() ** 2 * topic.length)]
  const text = (count) => {
    const topic = vocabularies[Math.floor(random() * topics)]
    return Array.from({ length: count }, () => (random() < 0.4 ? fromTopic(topic) : zipf())).join(' ')
  }
  return { note: () => text(15 + Math.floor(random() * 26)), query: () => text(8) }
}

/** Clustered unit vectors, as embeddings of topical notes are. */
export function createVectors(seed, dimension) {
  const random = createRandom(seed)
  const gaussian = () => random() + random() + random() + random() - 2
  const centres = Array.from({ length: topics }, () => Float32Array.from({ length: dimension }, gaussian))
  return () => {
    const centre = centres[Math.floor(random() * topics)]
    const vector = Float32Array.from({ length: dimension }, (_, at) => centre[at] + 1.2 * gaussian())
    const length = Math.hypot(...vector)
    return vector.map((component) => component / length)
  }
}
