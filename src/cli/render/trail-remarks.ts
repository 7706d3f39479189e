/** Remarks on an event in a belief's trail besides its figures. */
import type { Output } from './output.ts'
import { stateWord } from './stale.ts'

type Event = Output<'evidence_for'>['events'][number]

/** Why it weighs nothing, or weighs all the same. */
function weightOf({ repeats, independent }: Event): string | undefined {
  if (repeats !== undefined) return `repeats evidence ${repeats}, so it weighs nothing`
  return independent === true ? 'said to be independent of another that day' : undefined
}

/** Its note, what it comes from and what has changed since, a line each. */
export function remarksOn(event: Event): string[] {
  const { note, source, stale = [] } = event
  const from = source === undefined ? undefined : `from ${source}`
  const related = [from, weightOf(event)].filter((part) => part !== undefined).join(', ')
  const changed = stale.map(({ path, state }) => `stale: ${path} ${stateWord(state)}`)
  return [...(note === null ? [] : [note]), ...(related === '' ? [] : [related]), ...changed]
}
