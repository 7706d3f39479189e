/**
 * A block of text for a model: one line per record, one heading per brain, as many lines as fit. Knows lengths and
 * words; which records matter is decided by the caller.
 */

import { counted } from '../core/counts.ts'
import { excerptOf } from '../core/excerpt.ts'
import { toInstant } from '../core/instant.ts'
import { isCommitNote } from '../core/tags.ts'

/** Longest block that can be asked for, in tokens. */
export const maxTokens = 2_000
/** Bytes per token: no tokenizer in use produces more than one token per three bytes. */
const bytesPerToken = 3
/** Longest block in characters: agents show the model only a preview of anything longer. */
const maxCharacters = 10_000
/** Characters of a record's text. */
const maxExcerpt = 240
/** Share of a block reserved for the person's own brain, if both have much to say. */
const personalShare = 0.25

/** Heading of a brain's lines: a project's, or the personal one's. */
export const headingOf = ({ own = false }: { readonly own?: boolean }): string =>
  own ? "From the person's own brain (`brain --global`):" : "From this project's brain:"

/** One line of a block, and its record. */
export interface Line {
  readonly key: string
  readonly text: string
}

export const dated = (milliseconds: number): string => toInstant(milliseconds).toISOString().slice(0, 10)

interface LineParts {
  readonly kind: string
  readonly id: number
  readonly at: number
  readonly text: string
  readonly labels?: readonly string[]
  /** Characters of the text; 240 when absent. */
  readonly limit?: number
}

/** A record as one line that a model reads; of a commit without its files, which git names. */
export function toLine({ kind, id, at, text, labels = [], limit = maxExcerpt }: LineParts): Line {
  const whole = isCommitNote(text) ? text.replace(/\nFiles: [^\n]*$/, '') : text
  const shown = [...labels.map((label) => `[${label}]`), excerptOf(whole, limit)].join(' ')
  return { key: `${kind} ${id}`, text: `- ${kind} ${id}, ${dated(at)}: ${shown}` }
}

/** The content of one brain, most important first. */
export interface Section {
  readonly heading: string
  readonly lines: readonly Line[]
  /** What is not among the lines, and the commands that show it. */
  readonly rest: readonly string[]
}

export interface Block {
  readonly text: string
  /** The number of lines included, and of those that did not fit. */
  readonly shown: number
  readonly omitted: number
  /** The lines that are in it, by the sections given. */
  readonly sections: readonly (readonly Line[])[]
}

/** The last line: what was left out, and the commands that show it. */
function closing(left: readonly Line[], rest: readonly string[], tokens: number): string {
  const command = tokens < maxTokens ? `brain prime --tokens ${maxTokens}` : 'brain list'
  const warnings = left.filter(({ key }) => key.startsWith('flag ')).length
  const ofThem = warnings > 0 ? `, of them ${counted(warnings, 'warning')},` : ''
  const parts = [
    ...(left.length > 0
      ? [`${counted(left.length, 'line')}${ofThem} for which there is no room (\`${command}\`)`]
      : []),
    ...rest,
  ]
  return parts.length === 0
    ? '`brain list` shows the records of every kind.'
    : `Not shown: ${parts.join('; ')}.`
}

const once = (lines: readonly Line[]): Line[] => [...new Map(lines.map((line) => [line.key, line])).values()]

const sizeOf = (lines: readonly Line[]): number =>
  lines.reduce((bytes, { text }) => bytes + Buffer.byteLength(text) + 1, 0)

/**
 * As many lines as fit into a number of tokens, each record once, in order. The first section is shortened last, apart
 * from the quarter reserved for the others.
 */
export function compose(given: readonly Section[], tokens: number): Block {
  const byteBudget = tokens * bytesPerToken
  const sections = given.map((section) => ({ ...section, lines: once(section.lines) }))
  const all = sections.reduce((count, { lines }) => count + lines.length, 0)
  const rest = sections.flatMap((section) => section.rest)
  const dropped: Line[] = []
  const count = (): number => sections.reduce((sum, { lines }) => sum + lines.length, 0)
  const build = (): string =>
    [
      ...sections.flatMap(({ heading, lines }) =>
        lines.length === 0 ? [] : [heading, ...lines.map(({ text }) => text)],
      ),
      closing(dropped, rest, tokens),
    ].join('\n')
  const fits = (block: string): boolean =>
    Buffer.byteLength(block) <= byteBudget && block.length <= maxCharacters
  while (count() > 0 && !fits(build())) {
    const [first, ...others] = sections
    const long = others.findLast(
      ({ lines }) =>
        lines.length > 0 && (first?.lines.length === 0 || sizeOf(lines) > byteBudget * personalShare),
    )
    const line = (long ?? first)?.lines.pop()
    if (line !== undefined) dropped.push(line)
  }
  return {
    text: all === 0 ? '' : build(),
    shown: count(),
    omitted: all - count(),
    sections: sections.map(({ lines }) => lines),
  }
}
