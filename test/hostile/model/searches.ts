/**
 * What searching may answer: recall and the gut-check, as far as it follows from what is there. How alike two texts are
 * is not known here, but that a text is most like itself.
 */
import { type Check, differences, within } from './agree.ts'
import type { Contents, Line, MemoryRecord, PredictionRecord } from './contents.ts'
import { mean, type Outcome, worth } from './figures.ts'

/** One call of an operation. */
export interface Ask {
  readonly operation: string
  /** Members by name; only those that are given. */
  readonly input: Readonly<Record<string, string | number>>
  readonly project: string
  readonly agent: string
}

export const text = (ask: Ask, member: string): string => String(ask.input[member])

interface Lists {
  readonly results?: Line[]
  readonly keyword_extra?: Line[]
}

const words = (value: string): Set<string> => new Set(value.toLowerCase().match(/[a-z0-9]+/g) ?? [])

const itemOf = ({ id, text, caution, at }: MemoryRecord) => ({
  id,
  text,
  caution,
  created_at: at,
  score: within(0, 1),
})

/** Everything the project holds and nothing else, best first, the very text asked for before all others. */
export function checkRecall(contents: Contents, ask: Ask): Check {
  const alive = contents.alive(ask.project)
  const query = text(ask, 'query')
  return (value) => {
    const { mode, results = [], keyword_extra: extra = [] } = value as { mode: string } & Lists
    if (mode !== 'semantic') return `mode ${mode}`
    const all = [...results, ...extra]
    for (const item of all) {
      const memory = alive.find(({ id }) => id === item.id)
      if (memory === undefined) return `a result that is not there: ${JSON.stringify(item)}`
      const { newer, ...plain } = item
      const [wrong] = differences(plain, itemOf(memory), 'result')
      if (wrong !== undefined) return wrong
      const isLater = (id: unknown): boolean =>
        alive.some((one) => one.id === id) &&
        !all.some((one) => one.id === id && String(one.created_at) <= String(item.created_at))
      if (newer !== undefined && !(Array.isArray(newer) && newer.length > 0 && newer.every(isLater)))
        return `not newer than ${item.id}: ${JSON.stringify(newer)}`
    }
    if (new Set(all.map(({ id }) => id)).size < all.length) return 'a result twice'
    for (const list of [results, extra]) {
      const scores = list.map(({ score }) => Number(score))
      if (scores.some((score, at) => score > (scores[at - 1] ?? 1))) return `scores rise: ${scores}`
    }
    const missing = alive.filter(({ id, semantic }) => semantic && !results.some((one) => one.id === id))
    if (alive.length <= Number(ask.input.limit) && missing.length > 0)
      return `not found: ${JSON.stringify(missing.map(({ text }) => text))}`
    if (isPlain(query) && alive.some(({ text, semantic }) => semantic && text === query)) {
      if (results[0]?.text !== query) return `not first: ${query}, but ${JSON.stringify(results[0])}`
    }
    return undefined
  }
}

/** Whether the text has no more than words in it: then no other one is as near to it as itself. */
const isPlain = (value: string): boolean => /^[a-z0-9 ]{1,200}$/.test(value)

function adjacentTo(contents: Contents, ask: Ask): PredictionRecord[] {
  const predictions = contents.predictions.filter(({ project }) => project === ask.project)
  const wordsOf = ({ prediction, domain, basis }: PredictionRecord) =>
    words(`${prediction} ${domain} ${basis ?? ''}`)
  const telling = [...words(text(ask, 'topic'))].filter((word) => {
    const holding = predictions.filter((one) => wordsOf(one).has(word)).length
    return word.length >= 3 && (predictions.length < 8 || holding <= predictions.length / 4)
  })
  return predictions.filter((one) => one.closing !== null && telling.some((word) => wordsOf(one).has(word)))
}

function trackRecord(adjacent: readonly PredictionRecord[]) {
  const closed = adjacent.flatMap(({ closing, ...one }) => (closing ? [{ ...one, ...closing }] : []))
  if (closed.length === 0) return null
  const count = (outcome: Outcome): number => closed.filter((one) => one.outcome === outcome).length
  return {
    adjacent_predictions: closed.length,
    correct: count('correct'),
    incorrect: count('incorrect'),
    partial: count('partial'),
    accuracy: mean(closed.map(({ outcome }) => worth[outcome])),
    mean_confidence: mean(closed.map(({ confidence }) => confidence)),
    mean_surprise: mean(closed.map(({ surprise }) => surprise)),
    most_surprising: closed
      .sort((a, b) => b.surprise - a.surprise || b.id - a.id)
      .slice(0, 3)
      .map(({ id, prediction, domain, outcome, surprise }) => ({
        id,
        prediction,
        domain,
        outcome,
        surprise,
      })),
  }
}

/** At most three of the project's own flags, each once, with its own text and caution and numbers in 0..1. */
const nearestOf =
  (flags: readonly { id: number; text: string; caution: number }[]): Check =>
  (value) => {
    if (!Array.isArray(value) || value.length > 3) return `no three nearest: ${JSON.stringify(value)}`
    const ids = new Set(value.map(({ memory_id }) => memory_id))
    if (ids.size < value.length) return 'a nearest flag is named twice'
    const odd = value.find(
      ({ memory_id, text: told, caution, relevance, effective_relevance: effective }) => {
        const flag = flags.find(({ id }) => id === memory_id)
        const numbers = [relevance, effective].every((one) => one >= 0 && one <= 1)
        return flag === undefined || flag.text !== told || flag.caution !== caution || !numbers
      },
    )
    return odd === undefined ? undefined : `an odd nearest flag: ${JSON.stringify(odd)}`
  }

/** The numbers of a verdict hang together, its flag is the project's own, and a flag's own text is a warning. */
export function checkAssessment(contents: Contents, ask: Ask): unknown {
  const flags = contents.alive(ask.project).filter(({ caution }) => caution > 0)
  const topic = text(ask, 'topic')
  let told = 0
  const basis: Check = (value) => {
    if (value === null) return told < 0.12 ? undefined : `a risk of ${told} based on nothing`
    const { memory_id, caution, relevance, effective_relevance: effective } = value as Record<string, number>
    const flag = flags.find(({ id }) => id === memory_id)
    if (flag === undefined) return `flag ${memory_id} is not there`
    const odd = [relevance, effective].find((one) => one === undefined || one < 0 || one > 1)
    if (odd !== undefined || flag.caution !== caution) return `odd numbers: ${JSON.stringify(value)}`
    return Math.abs(told - caution * (effective ?? 0)) < 1e-12
      ? undefined
      : `risk ${told} of ${JSON.stringify(value)}`
  }
  const least = isPlain(topic)
    ? Math.max(0, ...flags.filter(({ text }) => text === topic).map(({ caution }) => 0.9 * caution))
    : 0
  return {
    topic,
    risk: (value: unknown) => {
      told = Number(value)
      return within(least, flags.length === 0 ? 0 : 1)(value)
    },
    verdict: (value: unknown) => {
      const verdict = told >= 0.34 ? 'danger' : told >= 0.12 ? 'caution' : 'clear'
      return value === verdict ? undefined : `${value} at ${told}`
    },
    why: (value: unknown) =>
      typeof value === 'string' && value.endsWith('.') ? undefined : `no sentence: ${value}`,
    based_on: basis,
    nearest: nearestOf(flags),
    track_record: trackRecord(adjacentTo(contents, ask)),
  }
}
