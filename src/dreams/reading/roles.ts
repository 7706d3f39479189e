/** What notes do, read once a night and by their vectors alone: which may conflict, before any two are read together. */
import type { Role, Roles, Standing } from '../../models/night-model.ts'
import { type Night, noteAt } from './material.ts'

/** How a later note may go against an earlier one, and what that one does. */
export const opposed = {
  contradicts: 'fact',
  reverses: 'decision',
  breaks: 'rule',
  ignores: 'wish',
} as const satisfies Partial<Record<Role & keyof Standing, Role>>

export type Conflict = keyof typeof opposed
export const conflictNames = Object.keys(opposed) as Conflict[]

const known = new WeakMap<Night, Map<number, Roles>>()

/** The probability that a note tells of what went otherwise than it should: trouble, something undone or against a rule. */
export const fault = (roles: Roles | undefined): number =>
  roles === undefined ? 0 : roles.trouble + roles.breaks + roles.unkept

/** What a note does; undefined without a reader. */
export function rolesAt(night: Night, position: number): Roles | undefined {
  const { reader } = night.input
  if (reader === undefined) return undefined
  const read = known.get(night) ?? new Map<number, Roles>()
  known.set(night, read)
  const roles = read.get(position) ?? reader.rolesOf(noteAt(night, position))
  read.set(position, roles)
  return roles
}

/**
 * The probability that one note is what can be gone against and a later one goes against such, whatever either is
 * about, 0..1.
 */
export const opposition = (earlier: Roles, later: Roles): number =>
  conflictNames.reduce((sum, name) => sum + earlier[opposed[name]] * later[name], 0)
