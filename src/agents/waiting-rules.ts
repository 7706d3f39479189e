/** What notes that waited have to be: as `remember` and `flag` ask, since whoever put them there may be a stranger. */
import * as z from 'zod/mini'
import { isObject } from '../core/json.ts'
import { integer, number, tags, text } from '../operations/schemas.ts'
import type { CapturedNote } from './capture.ts'

/** Notes, and when they were said, milliseconds. */
interface Said {
  readonly at: number
  readonly notes: readonly CapturedNote[]
}

const noteSchema = () => z.object({ text: text(), caution: number(0, 1), tags: z.optional(tags()) })

/** The notes of a file that a hook wrote, and when; undefined of anything else. */
export function parseWaiting(content: string, now: number): Said | undefined {
  const found: unknown = JSON.parse(content)
  if (!isObject(found) || !Array.isArray(found.notes)) return undefined
  const at = integer(0, now).safeParse(found.at)
  const schema = noteSchema()
  const notes = found.notes.flatMap((note): CapturedNote[] => {
    const { data } = schema.safeParse(note)
    return data === undefined
      ? []
      : [{ text: data.text, caution: data.caution, ...(data.tags && { tags: data.tags }) }]
  })
  return at.success ? { at: at.data, notes } : undefined
}
