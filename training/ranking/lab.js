/** Brains in memory whose vectors are known beforehand, to ask many questions of many of them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const width = 384

/** The vectors that `embed.py` wrote; what is not among them, the encoder itself embeds. */
function readVectors(folder, encoder) {
  const known = new Map()
  const [texts, vectors] = [join(folder, 'texts.json'), join(folder, 'vectors.f32')]
  if (existsSync(vectors)) {
    const bytes = readFileSync(vectors)
    const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
    for (const [at, text] of JSON.parse(readFileSync(texts, 'utf8')).entries()) {
      known.set(text, Float32Array.from(all.subarray(at * width, (at + 1) * width)))
    }
  }
  return (text) => {
    if (!known.has(text)) known.set(text, encoder.embed(text))
    return known.get(text)
  }
}

/** A laboratory: brains of some texts, and contexts to ask them in. */
export function createLab(sources, { model, cache, root }) {
  const encoder = new sources.Encoder(model)
  const vectorOf = readVectors(cache, encoder)
  const pieces = new Map()
  const tokensOf = (text) => {
    if (!pieces.has(text)) pieces.set(text, encoder.tokenise(text).slice(0, 254))
    return pieces.get(text)
  }
  const toPassage = (text) => ({ start: 0, end: text.length, vector: vectorOf(text), tokens: tokensOf(text) })
  /** Cut as the product cuts them. */
  const toPassages = (text) =>
    sources
      .cutText(text, sources.passageWindow, (part) => sources.windowCost(part, encoder.tokenise(part)))
      .map(({ start, end }) => ({ ...toPassage(text.slice(start, end)), start, end }))
  const embedder = {
    identity: { name: 'builtin', hash: 'laboratory', dimension: width },
    relevance: { slope: 20, midpoint: 0.16 },
    embedTexts: async (texts) => texts.map((text) => toPassages(text)),
    embedQuery: async (query) => toPassage(query),
    close: async () => {},
  }
  const neutral = sources.embedNotes(embedder, join(root, 'models/brain-encoder-v1'))
  const createPool = (semantic) => {
    const find = async () => (semantic ? embedder : undefined)
    return {
      current: find,
      configured: find,
      of: find,
      successor: async () => undefined,
      attempt: (work) => work(),
      pieces: async () => encoder,
      neutralNotes: () => neutral,
      close: async () => {},
    }
  }
  const start = Date.UTC(2026, 10, 22, 6)
  return {
    /**
     * A brain of `notes`; `ask` gives what ranking knows of a query, `recall` what the product answers, with the notes' places for
     * their ids.
     */
    async open(notes, { written, now = start + 3_600_000 } = {}) {
      const options = { durability: 'normal', create: true, label: 'laboratory', warn: () => {} }
      const store = await sources.openSqliteStore(':memory:', options)
      const kept = await store.memories.addMany(
        'laboratory',
        notes.map((text, at) => ({
          text,
          caution: 0,
          agent: 'laboratory',
          createdAt: written?.[at] ?? start + at,
          embedding: { model: embedder.identity, passages: toPassages(text) },
        })),
      )
      const places = new Map(kept.map(({ id }, at) => [id, at]))
      const contextOf = (semantic) => ({ project: 'laboratory', store, embedders: createPool(semantic), now: () => now })
      return {
        async recall(query) {
          const context = contextOf(true)
          const { ranked, newer } = await sources.withNewer(context, query, await sources.search(context, query))
          return ranked.map(({ id, score }) => ({
            ...{ id: places.get(id), score },
            newer: (newer.get(id) ?? []).map((one) => places.get(one)),
          }))
        },
        async ask(query, semantic = true) {
          const found = await sources.gather(contextOf(semantic), query)
          const placed = found.candidates.map((one) => ({ ...one, id: places.get(one.id) }))
          return { ...found, query, notes, candidates: placed }
        },
        close: () => store.close(),
      }
    },
    close: () => encoder.close(),
  }
}
