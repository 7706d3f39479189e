/**
 * What speaks for conflicts, collisions and ties in brains with planted ones before any two notes are read together, for fit_odds.py: `{encoder, night, brains}` on standard input,
 * directories all, those of brains with NAME.jsonl and answer-key.json, or with the pairs in NAME.jsonl itself, where `only` may name those that are meant and `tables` the tables; on
 * standard output a row a pair in the first night that could tell it, the notes arriving over fourteen nights: its table, its brain, the two notes and their texts, whether it was planted, its features; and, where the table `role` is named, a row a note, what it does.
 * Brains of one author are read in matters, as a night does, so that two notes may have several rows.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { meetingOf, plansTogether } from '../../src/dreams/kinds/collision.ts'
import { candidatesOf } from '../../src/dreams/kinds/conflict.ts'
import { questionPairs, questionsAsked } from '../../src/dreams/kinds/question.ts'
import { measureBaseline } from '../../src/dreams/reading/chance.ts'
import { gather } from '../../src/dreams/reading/concordance.ts'
import { createFindNear } from '../../src/dreams/near.ts'
import { collisionFeatures, questionFeatures, surfaceOf } from '../../src/dreams/reading/odds.ts'
import { areLog } from '../../src/dreams/reading/material.ts'
import { mattersOf } from '../../src/core/matters.ts'
import { asks } from '../../src/dreams/reading/cues.ts'
import { findNeighbours } from '../../src/dreams/reading/pairs.ts'
import { tieFeatures } from '../../src/dreams/reading/tie-odds.ts'
import { mayBeTied } from '../../src/dreams/reading/ties.ts'
import { finish } from '../../src/dreams/thinking.ts'
import type { DreamNote, NightInput } from '../../src/dreams/thought.ts'
import { Encoder } from '../../src/models/encoder.ts'
import { NightModel, type Roles, type Standing, standings } from '../../src/models/night-model.ts'

const nights = 14
const hour = 3_600_000
const day = 24 * hour
/** Monday, the first day of brains that count days. */
const firstDay = Date.UTC(2026, 0, 5, 8)
const kindsOf = {
  conflict: ['contradiction', 'reversal', 'broken-rule', 'rule', 'forgotten', 'preference'],
  collision: ['collision'],
  question: ['question'],
  again: ['recurrence'],
  measures: ['trend'],
}

interface Asked {
  readonly encoder: string
  readonly night: string
  readonly brains: readonly string[]
  readonly only?: readonly string[]
  readonly tables?: readonly string[]
}
interface Planted {
  readonly kind: string
  readonly memory_ids: readonly number[]
}

/** Nothing that a reader told. */
const unread = Object.fromEntries(standings.map((name) => [name, 1 / standings.length])) as Standing
const asked: Asked = JSON.parse(readFileSync(0, 'utf8'))
const encoder = new Encoder(asked.encoder)
const model = new NightModel(asked.night, encoder)

function readBrain(file: string): { notes: DreamNote[]; pairs: Planted[] } {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return {
    pairs: lines.filter(({ pair }) => pair).map(({ kind, pair }) => ({ kind, memory_ids: pair })),
    notes: lines
      .filter(({ text }) => text !== undefined)
      .map(({ id, text, caution = 0, agent, created_at, day: at }) => ({
        ...{ id, text, caution, agent },
        // The notes of one day come one after the other.
        at: created_at ? Date.parse(created_at) : firstDay + (at - 1) * day + id * 60_000,
      })),
  }
}

/** Notes with their vectors, those of a log in matters. */
function prepare(notes: readonly DreamNote[]): DreamNote[] {
  const parts = notes.flatMap((note) =>
    (note.caution === 0 ? mattersOf(note.text, asks) : [note.text]).map((text) => ({ ...note, text })),
  )
  const read = areLog(notes, parts.length / notes.length) ? parts : notes
  return read.map((note) => ({ ...note, vector: encoder.embed(note.text).slice() }))
}

for (const folder of asked.brains) {
  const keyFile = join(folder, 'answer-key.json')
  const key: Record<string, Planted[]> & { decoys?: Record<string, Omit<Planted, 'kind'>[]> } = existsSync(keyFile)
    ? JSON.parse(readFileSync(keyFile, 'utf8'))
    : {}
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    const brain = file.replace('.jsonl', '')
    if (asked.only?.includes(brain) === false) continue
    const { notes: whole, pairs } = readBrain(join(folder, file))
    const notes = prepare(whole)
    const numberOf = new Map(notes.map((note, number) => [note, number]))
    const isPlanted = (table: keyof typeof kindsOf, a: number, b: number): boolean =>
      (key[brain] ?? pairs).some(
        ({ kind, memory_ids }) =>
          kindsOf[table].includes(kind) && memory_ids.includes(a) && memory_ids.includes(b),
      )
    const put = new Set<string>()
    const isAsked = (table: keyof typeof kindsOf): boolean => asked.tables?.includes(table) ?? true
    const readRoles = new Map<string, Roles>()
    const rolesOf = ({ text, vector }: DreamNote): Roles => {
      const roles = readRoles.get(text) ?? model.rolesOf(text, vector)
      readRoles.set(text, roles)
      return roles
    }
    for (const note of asked.tables?.includes('role') ? notes : [])
      process.stdout.write(
        `${JSON.stringify({ table: 'role', brain, a: note.id, texts: [note.text], features: rolesOf(note) })}\n`,
      )
    if (asked.tables?.every((table) => table === 'role')) continue
    const [first = 0, last = 0] = [notes[0]?.at, notes.at(-1)?.at]
    for (let at = 1; at <= nights; at += 1) {
      const now = Math.round(first + ((last - first) * at) / nights) + hour
      const arrived = notes.filter((note) => note.at <= now)
      const findNear = createFindNear(arrived)
      const input: NightInput = {
        ...{ now, seed: at, limit: 1, notes: arrived, beliefs: [], predictions: [], timeZone: 'UTC', reader: { stand: () => unread, rolesOf } },
        ...(findNear && { findNear }),
      }
      const concordance = finish(gather(arrived))
      const neighbours = finish(findNeighbours(concordance, findNear))
      const telling = { now, timeZone: 'UTC', seed: at }
      const unrelatedBaseline = measureBaseline(concordance, at)
      const standingOf = (): undefined => undefined
      const night = { input, concordance, neighbours, pairs: [], unrelatedBaseline, telling, standingOf }
      const putOnce = (
        table: keyof typeof kindsOf,
        [earlier, later]: readonly [number, number],
        features: Record<string, number>,
      ): void => {
        const [older, newer] = [arrived[earlier], arrived[later]]
        if (older === undefined || newer === undefined) return
        const name = `${table} ${numberOf.get(older)} ${numberOf.get(newer)}`
        if (put.has(name)) return
        put.add(name)
        const ends = { a: older.id, b: newer.id, texts: [older.text, newer.text] }
        const pair = { ...ends, planted: isPlanted(table, older.id, newer.id) }
        process.stdout.write(`${JSON.stringify({ table, brain, ...pair, features })}\n`)
      }
      for (const [earlier, later] of isAsked('conflict') ? finish(candidatesOf(night)) : [])
        putOnce('conflict', [earlier, later], surfaceOf(night, earlier, later))
      for (const tie of ['again', 'measures'] as const)
        for (const ends of isAsked(tie) ? mayBeTied(night, tie) : [])
          putOnce(tie, ends, tieFeatures(night, tie, ends))
      // A question that was answered may well have been asked twice.
      const isDecoy = (a: number, b: number): boolean =>
        (key.decoys?.[brain] ?? []).some(({ memory_ids: ids }) => ids.includes(a) && ids.includes(b))
      for (const { earlier, later } of isAsked('question') ? finish(questionPairs(night, finish(questionsAsked(night)))) : [])
        if (!isDecoy(arrived[earlier]?.id ?? 0, arrived[later]?.id ?? 0)) putOnce('question', [earlier, later], questionFeatures(night, earlier, later, unread))
      for (const [a, b] of isAsked('collision') ? finish(plansTogether(night)) : []) {
        const met = meetingOf(night, a, b)
        if (met !== undefined)
          putOnce('collision', [met.earlier, met.later], collisionFeatures(night, met, unread))
      }
    }
  }
}
