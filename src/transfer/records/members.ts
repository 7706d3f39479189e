/** What the lines of an export are made of, whatever their kind: members by their rules, in their two forms. */
import * as z from 'zod/mini'
import { type Citation, maxCites, toPlace } from '../../core/citations.ts'
import { BrainError } from '../../core/errors.ts'
import type { Circumstances } from '../../core/records.ts'
import {
  at,
  integer,
  listOf,
  name,
  optional,
  tags,
  text,
  time,
  toTimestamp,
} from '../../operations/schemas.ts'
import type { Cited } from '../../store/citations.ts'
import type { Kept } from '../../store/store.ts'

export type LineMembers = Readonly<Record<string, z.ZodMiniType>>

type Wire = Readonly<Record<string, unknown>>

/** One kind of record as a line: its members in their order, and both ways between line and record. */
export interface LineCodec<Line> {
  readonly members: LineMembers
  /** Members in the order in which they are written. */
  toWire(line: Line): Record<string, unknown>
  /** Of a line that the rules let pass. @throws BrainError `invalid` where members contradict each other. */
  fromWire(wire: Wire): Line
}

/** One member of a record, as those of a line that hold it: one of the given name, unless it says otherwise. */
interface Member<Value> {
  rules(name: string): LineMembers
  write(value: Value, name: string, wire: Record<string, unknown>): void
  /** Of a line that the rules let pass. Undefined where the record does without it. */
  read(wire: Wire, name: string): Value
}

/** A member that is one value of the line, of the form that it also has in a list. */
interface Single<Value, Told> extends Member<Value> {
  readonly form: {
    readonly schema: z.ZodMiniType<Told>
    readonly write: (value: Value) => Told
    readonly read: (told: Told) => Value
  }
}

/** A member by the rule of its value in the line, and both ways between that and the record's. */
export const member = <Value, Told>(
  schema: z.ZodMiniType<Told>,
  write: (value: Value) => Told,
  read: (told: Told) => Value,
): Single<Value, Told> => ({
  form: { schema, write, read },
  rules: (name) => ({ [name]: schema }),
  write: (value, name, wire) => {
    wire[name] = write(value)
  },
  // The schema let it pass under this name.
  read: (wire, name) => read(wire[name] as Told),
})

const same = <Value>(value: Value): Value => value

/** A value that is the same in both. */
export const kept = <Value>(schema: z.ZodMiniType<Value>) => member<Value, Value>(schema, same, same)

/** Tags, which lose the space around them. */
export const taggedWith = () =>
  member<readonly string[], readonly string[]>(tags(), same, (told) => told.map((tag) => tag.trim()))

/** A name, which loses the space around it. */
export const named = () => member<string, string>(name(), same, (told) => told.trim())

/** A time: milliseconds since the epoch here, RFC 3339 there. */
export const moment = () => member<number, string>(time(), toTimestamp, at)

/** A list of members of one kind, of which the last `most` are written: no list is longer than what is read. */
export const latest = <Value, Told>({ form }: Single<Value, Told>, most: number) =>
  member<readonly Value[], readonly Told[]>(
    listOf(form.schema, most),
    (values) => values.slice(-most).map(form.write),
    (told) => told.map(form.read),
  )

/** A list of members of one kind, which is left out where nothing is in it. */
export const listed = <Value, Told>({ form }: Single<Value, Told>): Member<readonly Value[]> => ({
  rules: (name) => ({ [name]: optional(z.array(form.schema, { error: 'must be a list' })) }),
  write: (values, name, wire) => {
    if (values.length > 0) wire[name] = values.map(form.write)
  },
  // The schema let its elements pass.
  read: (wire, name) => ((wire[name] ?? []) as readonly Told[]).map(form.read),
})

/** A member whose null is written, and read where there is none. */
export const orNull = <Value>({ rules, write, read }: Member<Value>): Member<Value | null> => ({
  rules: optionally(rules),
  write: (value, name, wire) => {
    if (value === null) wire[name] = null
    else write(value, name, wire)
  },
  read: (wire, name) => (wire[name] == null ? null : read(wire, name)),
})

/** A member whose null is left out. */
export const unlessNull = <Value>(member: Member<Value>): Member<Value | null> => ({
  ...orNull(member),
  write: (value, name, wire) => {
    if (value !== null) member.write(value, name, wire)
  },
})

/** A member that is left out where a record does without it. */
export const ifSaid = <Value>({ rules, write, read }: Member<Value>): Member<Value | undefined> => ({
  rules: optionally(rules),
  write: (value, name, wire) => {
    if (value !== undefined) write(value, name, wire)
  },
  read: (wire, name) => (wire[name] == null ? undefined : read(wire, name)),
})

const optionally =
  (rules: Member<never>['rules']) =>
  (name: string): LineMembers =>
    Object.fromEntries(Object.entries(rules(name)).map(([key, schema]) => [key, optional(schema)]))

/** A member that the line calls otherwise than the record. */
export const called = <Value>(name: string, { rules, write, read }: Member<Value>): Member<Value> => ({
  rules: () => rules(name),
  write: (value, _, wire) => write(value, name, wire),
  read: (wire) => read(wire, name),
})

/** A member that the line tells by others. */
export const derived = <Value>(read: (wire: Wire) => Value): Member<Value> => ({
  rules: () => ({}),
  write: () => {},
  read,
})

type MembersOf<Line> = {
  readonly [Name in Exclude<keyof Line, 'type'>]-?: Member<Line[Name]>
}

/** A table of members, in the order in which they are checked and written. In the line their names have underscores. */
function inOrder<Value extends object>(members: MembersOf<Value>) {
  const table = Object.entries<Member<unknown>>(members).map(
    ([name, member]) =>
      [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), member] as const,
  )
  return {
    rules: Object.assign({}, ...table.map(([, name, { rules }]) => rules(name))) as LineMembers,
    write(value: Value): Wire {
      const wire: Record<string, unknown> = {}
      for (const [name, there, { write }] of table) write(value[name as keyof Value], there, wire)
      return wire
    },
    read(wire: Wire): Value {
      const value: Record<string, unknown> = {}
      for (const [name, there, { read }] of table) {
        const said = read(wire, there)
        if (said !== undefined) value[name] = said
      }
      // Each member of the type is in the table, and comes from its own reading.
      return value as Value
    },
  }
}

/** An object of such members and no others. */
export function object<Value extends object>(members: MembersOf<Value>) {
  const { rules, write, read } = inOrder(members)
  const error = `must be made of ${Object.keys(rules).join(', ')}`
  return member<Value, Wire>(z.strictObject(rules, { error }), write, read)
}

/** A value whose members are the line's, all of them null where it is null; `apart` says that some alone are none. */
export function together<Value extends object>(
  members: MembersOf<Value>,
  apart: string,
): Member<Value | null> {
  const { rules, write, read } = inOrder(members)
  const names = Object.keys(rules)
  const whole = z.object(rules)
  return {
    rules: () => optionally(() => rules)(''),
    write: (value, _, wire) =>
      void Object.assign(
        wire,
        value === null ? Object.fromEntries(names.map((name) => [name, null])) : write(value),
      ),
    read(wire) {
      if (names.every((name) => wire[name] == null)) return null
      if (!z.safeParse(whole, wire).success) throw new BrainError('invalid', apart)
      return read(wire)
    },
  }
}

/**
 * The codec of a kind of lines from a table of its members. `check` throws where a record's members contradict each other.
 */
export function defineLine<Line extends { readonly type: string }>(
  type: Line['type'],
  members: MembersOf<Line>,
  check: (line: Line) => void = () => {},
): LineCodec<Line> {
  const { rules, write, read } = inOrder(members)
  return {
    members: { type: z.string(), ...rules },
    toWire: (line) => ({ type, ...write(line) }),
    fromWire(wire) {
      const line = { ...read(wire), type }
      check(line)
      return line
    },
  }
}

/** Under which circumstances a record was kept; where nothing is known of one, its member is absent. */
export const circumstanceMembers = {
  session: optional(name()),
  branch: optional(name()),
  commit: optional(name()),
  origin: optional(name()),
}

type KnownCircumstances = { readonly [Name in keyof Circumstances]?: string | null | undefined }

const known = ({ agent, session, branch, commit, origin }: KnownCircumstances): [string, string][] =>
  Object.entries({ agent, session, branch, commit, origin }).flatMap(([name, value]) =>
    value == null ? [] : [[name, value.trim()]],
  )

/** The members that say it, in their order; none where nothing is known. */
const circumstancesToWire = ({ circumstances = {} }: Pick<Kept, 'circumstances'>): Wire =>
  Object.fromEntries(known(circumstances))

/** The other way: what a record has beside its own members. */
export function circumstancesFromWire(wire: KnownCircumstances): Pick<Kept, 'circumstances'> {
  const told = known(wire)
  return told.length === 0 ? {} : { circumstances: Object.fromEntries(told) }
}

/** The circumstances of a record; `agent` says that its line tells who kept it, and not by a member of its own. */
export const circumstances = ({ agent = false } = {}): Member<Kept['circumstances']> => ({
  rules: () => ({ ...(agent && { agent: optional(name()) }), ...circumstanceMembers }),
  write: (circumstances = {}, _, wire) => void Object.assign(wire, circumstancesToWire({ circumstances })),
  read: (wire) => circumstancesFromWire(agent ? wire : { ...wire, agent: null }).circumstances,
})

const places = { error: 'must be a list of places' }
const hash = 'must have a hash'

const place = () =>
  z.strictObject(
    {
      path: text(),
      first_line: optional(integer(1)),
      last_line: optional(integer(1)),
      hash: z.string({ error: hash }).check(z.regex(/^(?:[0-9a-f]{64})?$/, hash)),
      stamped_at: time(),
    },
    places,
  )

/** @throws BrainError `invalid` for a path that leads out of where it starts. */
function toCitation(line: z.output<ReturnType<typeof place>>): Citation {
  const [firstLine, lastLine] = [line.first_line ?? null, line.last_line ?? null]
  const place = toPlace(line.path)
  const ordered = firstLine === null ? lastLine === null : lastLine !== null && lastLine >= firstLine
  if (place === undefined || place.firstLine !== null || place.path !== line.path || !ordered) {
    throw new BrainError('invalid', 'cites must be places inside a directory')
  }
  return { path: line.path, firstLine, lastLine, hash: line.hash, stampedAt: at(line.stamped_at) }
}

/**
 * Places a record rests on, with the hash of what stood there; absent where it names none. The last that it may name are
 * written: memories that were merged have had more.
 */
export const citations = (): Member<Cited['citations']> => ({
  rules: () => ({
    cites: optional(z.array(place(), places).check(z.maxLength(maxCites, `must be at most ${maxCites}`))),
  }),
  write: (citations = [], _, wire) => {
    if (citations.length === 0) return
    wire.cites = citations.slice(-maxCites).map(({ path, firstLine, lastLine, hash, stampedAt }) => ({
      path,
      first_line: firstLine,
      last_line: lastLine,
      hash,
      stamped_at: toTimestamp(stampedAt),
    }))
  },
  read: (wire) => {
    // As the rule above lets it pass.
    const cites = wire.cites as z.output<ReturnType<typeof place>>[] | null | undefined
    return cites == null || cites.length === 0 ? undefined : cites.map(toCitation)
  },
})
