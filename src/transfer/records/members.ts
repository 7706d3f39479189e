/** What the lines of an export are made of, whatever their kind: rules of members, and times in their two forms. */
import * as z from 'zod/mini'
import { type Citation, toPlace } from '../../core/citations.ts'
import { BrainError } from '../../core/errors.ts'
import type { Circumstances } from '../../core/records.ts'
import type { parseInput } from '../../operations/call.ts'
import { at, integer, name, optional, text, time, toTimestamp } from '../../operations/schemas.ts'
import type { Cited } from '../../store/citations.ts'

export type LineMembers = Readonly<Record<string, z.ZodMiniType>>

/** The values of a line whose members follow these rules. */
export type Parsed<Members extends LineMembers> = ReturnType<typeof parseInput<Members>>

/** One kind of record as a line: its members in their order, and both ways between line and record. */
export interface LineCodec<Members extends LineMembers, Line> {
  readonly members: Members
  /** Members in the order in which they are written. */
  toWire(line: Line): Record<string, unknown>
  /** @throws BrainError `invalid` where members contradict each other. */
  fromWire(wire: Parsed<Members>): Line
}

/** Gives a codec its types. */
export const defineCodec = <Members extends LineMembers, Line>(
  codec: LineCodec<Members, Line>,
): LineCodec<Members, Line> => codec

/** The kind of a line, which is known by the time its members are looked at. */
export const type = () => z.string()

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
export const circumstancesToWire = ({
  circumstances = {},
}: {
  readonly circumstances?: Partial<Circumstances>
}): Record<string, string> => Object.fromEntries(known(circumstances))

/** The other way: what a record has beside its own members. */
export function circumstancesFromWire(wire: KnownCircumstances): {
  circumstances?: Partial<Circumstances>
} {
  const told = known(wire)
  return told.length === 0 ? {} : { circumstances: Object.fromEntries(told) }
}

/** The most places that one record names. */
const maxCites = 20

/** Places a record rests on, with the hash of what stood there; absent where it names none. */
export const citationMembers = {
  cites: optional(
    z
      .array(
        z.strictObject(
          {
            path: text(),
            first_line: optional(integer(1)),
            last_line: optional(integer(1)),
            hash: z
              .string({ error: 'must have a hash' })
              .check(z.regex(/^(?:[0-9a-f]{64})?$/, 'must have a hash')),
            stamped_at: time(),
          },
          { error: 'must be a list of places' },
        ),
        { error: 'must be a list of places' },
      )
      .check(z.maxLength(maxCites, `must be at most ${maxCites}`)),
  ),
}

export const citationsToWire = ({ citations = [] }: Cited): Record<string, unknown> =>
  citations.length === 0
    ? {}
    : {
        cites: citations.map(({ path, firstLine, lastLine, hash, stampedAt }) => ({
          path,
          first_line: firstLine,
          last_line: lastLine,
          hash,
          stamped_at: toTimestamp(stampedAt),
        })),
      }

interface CitationLine {
  readonly path: string
  readonly first_line?: number | null | undefined
  readonly last_line?: number | null | undefined
  readonly hash: string
  readonly stamped_at: string
}

/** @throws BrainError `invalid` for a path that leads out of where it starts. */
export function citationsFromWire({ cites }: { cites?: readonly CitationLine[] | null | undefined }): Cited {
  if (cites == null || cites.length === 0) return {}
  const citations = cites.map((line): Citation => {
    const [firstLine, lastLine] = [line.first_line ?? null, line.last_line ?? null]
    const place = toPlace(line.path)
    const ordered = firstLine === null ? lastLine === null : lastLine !== null && lastLine >= firstLine
    if (place === undefined || place.firstLine !== null || place.path !== line.path || !ordered) {
      throw new BrainError('invalid', 'cites must be places inside a directory')
    }
    return { path: line.path, firstLine, lastLine, hash: line.hash, stampedAt: at(line.stamped_at) }
  })
  return { citations }
}
