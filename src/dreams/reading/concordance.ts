/**
 * All notes of a night in the order of their times, with every content term's places: what makes rare words,
 * names and likeness cheap to ask for without comparing all notes with all. Knows words and vectors, no kind
 * of thought.
 */

import { dot } from '../../core/ranking.ts'
import type { DreamNote } from '../thought.ts'
import { type Clause, clausesOf, isContent, isEveryday, type Token, tokensOf } from './reading.ts'

/** What one note looks like when it is read closely. */
export interface NoteReading {
  readonly tokens: readonly Token[]
  readonly clauses: readonly Clause[]
}

export interface Concordance {
  /** Oldest first; positions below are positions in it. */
  readonly notes: readonly DreamNote[]
  readonly positionOf: ReadonlyMap<DreamNote, number>
  /** Numbers of the distinct content terms of a note. */
  termsOf(position: number): Uint32Array
  /** Positions of the notes that hold a term, ascending. */
  placesOf(term: number): Uint32Array
  numberOf(term: string): number | undefined
  termAt(term: number): string
  /** 0..1.2: how much a term says; rare terms and identifiers most, everyday words little. */
  weightOf(term: number): number
  isIdentifier(term: number): boolean
  /** Written with a capital wherever it is written. */
  isName(term: number): boolean
  isEveryday(term: number): boolean
  /** First written with an ending of the past ("uploaded"), whatever it is: as a rule it tells what was done, not what to. */
  endsInEd(term: number): boolean
  /** Never written without a capital; at the head of a sentence only, it may be a name or not. */
  mayBeName(term: number): boolean
  /** A spelling of the term, lower case. */
  spellingOf(term: number): string
  read(position: number): NoteReading
  /** Cosine of two notes; undefined when one has no vector. */
  similarity(a: number, b: number): number | undefined
}

/** How many notes are read between two yields. */
const stride = 200

interface Ledger {
  readonly numbers: Map<string, number>
  readonly terms: string[]
  readonly counts: number[]
  readonly identifiers: boolean[]
  readonly capitals: number[]
  readonly lowers: number[]
  readonly endsInEd: boolean[]
  /** First spelling, lower case. */
  readonly spellings: string[]
}

function enter(ledger: Ledger, token: Token): number {
  let number = ledger.numbers.get(token.term)
  if (number === undefined) {
    number = ledger.terms.length
    ledger.numbers.set(token.term, number)
    ledger.terms.push(token.term)
    ledger.counts.push(0)
    ledger.identifiers.push(token.kind === 'identifier')
    ledger.capitals.push(0)
    ledger.lowers.push(0)
    ledger.spellings.push(token.lower)
    ledger.endsInEd.push(/[a-z]{3}ed$/.test(token.lower))
  }
  const capital = /^\p{Lu}/u.test(token.surface)
  if (!capital) ledger.lowers[number] = (ledger.lowers[number] ?? 0) + 1
  else if (!token.opens) ledger.capitals[number] = (ledger.capitals[number] ?? 0) + 1
  return number
}

/** The older one first. */
export const byTime = (a: DreamNote, b: DreamNote): number => a.at - b.at || a.id - b.id

/** Reads all notes; yields now and then so that the caller can let others run. */
export function* gather(unsorted: readonly DreamNote[]): Generator<undefined, Concordance> {
  const notes = unsorted.toSorted(byTime)
  const ledger: Ledger = {
    numbers: new Map(),
    terms: [],
    counts: [],
    identifiers: [],
    capitals: [],
    lowers: [],
    endsInEd: [],
    spellings: [],
  }
  const perNote = new Rows()
  for (const [position, note] of notes.entries()) {
    const distinct = new Set<number>()
    for (const token of tokensOf(note.text)) if (isContent(token)) distinct.add(enter(ledger, token))
    for (const number of distinct) ledger.counts[number] = (ledger.counts[number] ?? 0) + 1
    perNote.push(distinct)
    if (position % stride === stride - 1) yield
  }
  const places = yield* placeTerms(perNote, notes.length, ledger.counts)
  return toConcordance(notes, perNote, { ledger, places })
}

/** Rows of numbers end to end in one array: a typed array each would cost more than its few numbers. */
class Rows {
  #numbers = new Uint32Array(1_024)
  readonly #ends: number[] = [0]

  push(row: Iterable<number>): void {
    let end = this.#ends.at(-1) ?? 0
    for (const number of row) {
      if (end === this.#numbers.length) {
        const grown = new Uint32Array(end * 2)
        grown.set(this.#numbers)
        this.#numbers = grown
      }
      this.#numbers[end] = number
      end += 1
    }
    this.#ends.push(end)
  }

  at(row: number): Uint32Array {
    return this.#numbers.subarray(this.#ends[row] ?? 0, this.#ends[row + 1] ?? this.#ends[row] ?? 0)
  }
}

interface Places {
  readonly positions: Uint32Array
  /** Where each term's positions begin; one more than there are terms. */
  readonly starts: Uint32Array
}

function* placeTerms(perNote: Rows, notes: number, counts: readonly number[]): Generator<undefined, Places> {
  const starts = new Uint32Array(counts.length + 1)
  for (const [term, count] of counts.entries()) starts[term + 1] = (starts[term] ?? 0) + count
  const positions = new Uint32Array(starts[counts.length] ?? 0)
  const next = starts.slice()
  for (let position = 0; position < notes; position += 1) {
    for (const term of perNote.at(position)) {
      const at = next[term] ?? 0
      positions[at] = position
      next[term] = at + 1
    }
    if (position % (stride * 20) === 0) yield
  }
  return { positions, starts }
}

function toConcordance(
  notes: readonly DreamNote[],
  perNote: Rows,
  { ledger, places }: { ledger: Ledger; places: Places },
): Concordance {
  const spread = Math.log(notes.length + 1)
  const everyday = ledger.terms.map(isEveryday)
  const readings = new Map<number, NoteReading>()
  const isIdentifier = (term: number): boolean => ledger.identifiers[term] === true
  return {
    notes,
    positionOf: new Map(notes.map((note, position) => [note, position])),
    termsOf: (position) => perNote.at(position),
    placesOf: (term) => places.positions.subarray(places.starts[term] ?? 0, places.starts[term + 1] ?? 0),
    numberOf: (term) => ledger.numbers.get(term),
    termAt: (term) => ledger.terms[term] ?? '',
    isIdentifier,
    isName: (term) => (ledger.capitals[term] ?? 0) > 0 && (ledger.lowers[term] ?? 0) === 0,
    mayBeName: (term) => (ledger.lowers[term] ?? 0) === 0,
    spellingOf: (term) => ledger.spellings[term] ?? '',
    endsInEd: (term) => ledger.endsInEd[term] === true,
    isEveryday: (term) => everyday[term] === true,
    weightOf: (term) => {
      const count = ledger.counts[term] ?? 1
      const rarity = Math.max(0, Math.log((notes.length + 1) / count) / spread)
      return rarity * (everyday[term] ? 0.25 : isIdentifier(term) ? 1.2 : 1)
    },
    read: (position) => {
      const known = readings.get(position)
      if (known !== undefined) return known
      const text = notes[position]?.text ?? ''
      const tokens = tokensOf(text)
      const reading = { tokens, clauses: clausesOf(text, tokens) }
      // Close readings are large; a night comes back only to the few thousand it looks at.
      if (readings.size > 4_000) readings.clear()
      readings.set(position, reading)
      return reading
    },
    similarity: (a, b) => {
      const left = notes[a]?.vector
      const right = notes[b]?.vector
      return left !== undefined && right !== undefined && left.length === right.length
        ? dot(left, right)
        : undefined
    },
  }
}
