/** What notes do, read once a night and by their vectors alone: which may conflict, before any two are read together. */
import { logit } from '../../core/logistic.ts'
import { type Role, type Roles, roles, type Standing } from '../../models/night-model.ts'
import { type Night, noteAt, perNote } from './material.ts'

/** How a later note may go against an earlier one, and what that one does. */
export const opposed = {
  contradicts: 'fact',
  reverses: 'decision',
  breaks: 'rule',
  ignores: 'wish',
} as const satisfies Partial<Record<Role & keyof Standing, Role>>

export type Conflict = keyof typeof opposed
export const conflictNames = Object.keys(opposed) as Conflict[]

/** The probability that a newer note goes against an older one in some way, 0..1. */
export const conflictIn = (standing: Standing): number =>
  conflictNames.reduce((sum, name) => sum + standing[name], 0)

/** Nothing of all this. */
const unread = Object.fromEntries(roles.map((role) => [role, role === 'other' ? 1 : 0])) as Roles

/** What a note does; without a reader, nothing that is known. */
export const rolesAt = perNote(
  (night, position) => night.input.reader?.rolesOf(noteAt(night, position)) ?? unread,
)

/** Log odds of what went otherwise than it should: trouble, something undone or against a rule. */
const faultOf = ({ trouble, breaks, unkept }: Roles): number => logit(trouble + breaks + unkept, 1e-4)

/** Log odds that a note tells of what went otherwise than it should. */
export const faultOdds = (night: Night, position: number): number => faultOf(rolesAt(night, position))

/** The same of a sentence by itself; 0 without a reader. */
export function faultOfSentence(night: Night, position: number, sentence: string): number {
  const { vector: _, ...note } = noteAt(night, position)
  const read = night.input.reader?.rolesOf({ ...note, text: sentence })
  return read === undefined ? 0 : faultOf(read)
}

/**
 * The probability that one note is what can be gone against and a later one goes against such, whatever either is
 * about, 0..1.
 */
export const opposition = (earlier: Roles, later: Roles): number =>
  conflictNames.reduce((sum, name) => sum + earlier[opposed[name]] * later[name], 0)
