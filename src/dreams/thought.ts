/** What a night thinks with and what it brings forth. Plain data: knows nothing of storage, embedders or clocks. */
import type { Belief, DreamKind, EvidenceEvent, Prediction, Quoted } from '../core/records.ts'
import type { Roles, Standing } from '../models/night-model.ts'
import type { Relation } from '../models/pair-model.ts'

/** A memory as the night sees it, or one matter of it. */
export interface DreamNote {
  /** The memory's. */
  readonly id: number
  readonly text: string
  /** Milliseconds since the epoch: when it was kept, or last edited. */
  readonly at: number
  /** 0..1; above 0 the note is a flag. */
  readonly caution: number
  readonly agent: string
  /** L2-normalised; absent when the note has none. */
  readonly vector?: Float32Array
}

export interface HeldBelief {
  readonly belief: Pick<Belief, 'id' | 'text' | 'confidence' | 'createdAt'>
  /** Oldest first. */
  readonly trail: readonly EvidenceEvent[]
}

export interface OpenPrediction {
  readonly prediction: Pick<Prediction, 'id' | 'prediction' | 'confidence' | 'createdAt'>
  readonly vector?: Float32Array
}

/** Nearest notes of a vector, best first, the similarity a cosine; by whatever index the caller has. */
export type FindNear = (
  vector: Float32Array,
  limit: number,
) => readonly { note: DreamNote; similarity: number }[]

/** A dream of an earlier night. */
export interface EarlierDream {
  readonly kind: DreamKind
  readonly sourceMemoryIds: readonly number[]
}

export interface NoteReader {
  /** How a newer note stands to an older one: milliseconds a pair. */
  readonly stand: (older: string, newer: string) => Standing
  readonly rolesOf: (note: DreamNote) => Roles
}

/** All that one night has to think about. */
export interface NightInput {
  readonly now: number
  /** Whole number; the same input and seed give the same thoughts. */
  readonly seed: number
  /** At most so many thoughts. */
  readonly limit: number
  readonly notes: readonly DreamNote[]
  readonly beliefs: readonly HeldBelief[]
  readonly predictions: readonly OpenPrediction[]
  /** Without it, notes are related by their words alone. */
  readonly findNear?: FindNear
  /** Whether a word is common in the language; without it, every word that is not everyday may be rare. */
  readonly isCommon?: (word: string) => boolean
  /** What earlier nights told: it is not told again. */
  readonly told?: readonly EarlierDream[]
  /** A reader of two notes about one matter; without it, readable rules alone decide. Milliseconds a pair, so asked for few. */
  readonly relate?: (older: string, newer: string) => Relation
  /** Reads two notes at once, or one; without it there are no thoughts of what only reading tells. */
  readonly reader?: NoteReader
  /** How much the readers of this brain make of a kind, 1 for one they said nothing of. */
  readonly worthOf?: (kind: DreamKind) => number
  /** IANA name; days and weekdays are told in it. */
  readonly timeZone: string
}

/** A candidate dream. */
export interface Thought {
  readonly kind: DreamKind
  /** 0..1; how strong the sign is that made it. */
  readonly signal: number
  /** At least one; ascending when the night has been thought to its end. */
  readonly sourceMemoryIds: readonly number[]
  /** What was seen, why it may matter, what could be done: a few sentences of plain English. */
  readonly thought: string
  /** What spoke for it, for whoever asks why. */
  readonly reasons: readonly string[]
  /** Beliefs and predictions whose texts it tells. */
  readonly quoted?: readonly Quoted[]
}
