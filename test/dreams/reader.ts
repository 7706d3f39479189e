/** Nights with a reader that says what a test wants it to say of two notes. */
import type { DreamNote, FindNear, NightInput, NoteReader, Thought } from '../../src/dreams/thought.ts'
import { type Role, type Roles, roles, type Standing, standings } from '../../src/models/night-model.ts'
import { dream, inputOf } from './night-input.ts'

/** A reader's answer with some probabilities given; of the others `none` has nearly all. */
export const standing = (told: Partial<Standing>): Standing => {
  const little = 0.002
  const rest = 1 - Object.values(told).reduce((sum, share) => sum + share, 0)
  const others = standings.filter((name) => told[name] === undefined)
  return {
    ...(Object.fromEntries(
      others.map((name) => [name, name === 'none' ? rest - little * (others.length - 1) : little]),
    ) as Standing),
    ...told,
  }
}

/** What a note does: most likely one thing, or nothing. */
const doing = (role: Role = 'other'): Roles =>
  Object.fromEntries(roles.map((name) => [name, name === role ? 0.7 : 0.3 / (roles.length - 1)])) as Roles

/** A reader by which each note does what is said, and two stand to each other as is said, else in no way. */
export const readerOf = (
  roleOf: (text: string) => Role | undefined,
  told: (older: string, newer: string) => Partial<Standing> = () => ({}),
): NoteReader => ({
  stand: (older, newer) => standing(told(older, newer)),
  rolesOf: ({ text }) => doing(roleOf(text)),
})

/** What an earlier note does, and a later one that goes against it. */
const opposites = [
  ['rule', 'breaks'],
  ['wish', 'ignores'],
  ['decision', 'reverses'],
  ['fact', 'contradicts'],
] as const

export type Lines = Parameters<typeof inputOf>[0]

/** Finds the nearest of some notes by their vectors. */
const findAmong =
  (notes: readonly DreamNote[]): FindNear =>
  (vector, limit) =>
    notes
      .map((note) => ({
        note,
        similarity: note.vector?.reduce((sum, x, at) => sum + x * (vector[at] ?? 0), 0) ?? 0,
      }))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, limit)

/** Dreams of notes of which those that `groupOf` puts into one group have its cosine, and all others of zero. */
export function dreamOfGroups(
  lines: Lines,
  groupOf: (text: string) => number | undefined,
  cosines: readonly number[],
  more: Partial<NightInput> = {},
): Thought[] {
  const { notes: bare } = inputOf(lines)
  const notes = bare.map((note, at) => {
    const vector = new Float32Array(8 + bare.length)
    const group = groupOf(note.text)
    const alike = group === undefined ? 0 : (cosines[group] ?? 0)
    vector[8 + at] = Math.sqrt(1 - alike)
    if (group !== undefined) vector[group] = Math.sqrt(alike)
    return { ...note, vector }
  })
  return dream(lines, { notes, findNear: findAmong(notes), ...more })
}

/** Dreams of two notes, each the other's nearest among unrelated ones, by a reader that has this to say of them. */
export function dreamOf(lines: Lines, told: Partial<Standing>, more: Partial<NightInput> = {}): Thought[] {
  const notes = inputOf(lines).notes.map((note, at) => {
    const vector = new Float32Array(32)
    vector[note.id < 1_000 ? 0 : 1 + (at % 31)] = note.id === 2 ? 0.5 : 1
    if (note.id === 2) vector[31] = Math.sqrt(0.75)
    return { ...note, vector }
  })
  const texts = lines.map(([, text]) => text)
  const conflict = opposites.find(([, name]) => told[name] !== undefined)
  const reader: NightInput['reader'] = {
    stand: (older, newer) => standing(older === texts[0] && newer === texts[1] ? told : {}),
    rolesOf: ({ text }) => doing(conflict?.[texts.indexOf(text)]),
  }
  return dream(lines, { notes, findNear: findAmong(notes), reader, ...more })
}
