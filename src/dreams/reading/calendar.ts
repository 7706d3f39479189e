/** The names of months, as English writes and shortens them. */
import { monthNames } from './lexicon.ts'

/** Month names and their usual short forms, lower case, to 0..11. */
export const monthsByName: ReadonlyMap<string, number> = new Map(
  monthNames.flatMap((name, month) => [
    [name.toLowerCase(), month] as const,
    // "may" is a verb first, so May has no short form of its own.
    ...(name === 'May' ? [] : [[name.slice(0, 3).toLowerCase(), month] as const]),
  ]),
)
