/**
 * Records as Markdown that is read without this program: what each says, under what it is and when it was. Texts stay as
 * they are, but that none of their lines is taken for a heading of the page they stand on. An import reads memories and
 * flags back; of other kinds a page does not say all.
 */
import { toInstant } from '../../core/instant.ts'
import type { TransferKind, TransferRecord } from '../../store/transfer.ts'

type Recorded = Exclude<TransferRecord, { type: 'project' }>

/** The heading that the records of a kind stand under. */
export const kindHeadings: Readonly<Record<TransferKind, string>> = {
  memory: 'Memories',
  version: 'Earlier texts',
  dream: 'Dreams',
  belief: 'Beliefs',
  evidence: 'Evidence',
  prediction: 'Predictions',
  observation: 'Observations',
}

const minute = (time: number): string => toInstant(time).toISOString().slice(0, 16).replace('T', ' ')

/** The month of a time, which names the page it stands on: `2026-01`. */
export const monthOf = (time: number): string =>
  toInstant(time)
    .toISOString()
    .replace(/-\d\dT.*$/, '')

/** A line that is a heading, or makes the line before it one, or would without the backslashes before it. */
const heading = /^\s{0,3}\\*(?:#{1,6}(?:\s|$)|={2,}\s*$|-{2,}\s*$)/

/** The lines of a text with those outside code changed, and the fence of code that is still open at the end. */
function changeLines(text: string, change: (line: string) => string): { lines: string[]; open?: string } {
  let open: string | undefined
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const changed = lines.map((line) => {
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1]
    if (open === undefined && mark !== undefined) open = mark
    else if (open !== undefined && mark?.startsWith(open)) open = undefined
    else if (open === undefined) return change(line)
    return line
  })
  return { lines: changed, ...(open !== undefined && { open }) }
}

/** A text whose lines are no heading, and whose code ends where it ends. */
function quiet(text: string): string {
  const { lines, open } = changeLines(text.trim(), (line) =>
    heading.test(line) ? line.replace(/[\\#=-]/, '\\$&') : line,
  )
  return [...lines, ...(open === undefined ? [] : [open])].join('\n')
}

/** A line as it was before `quiet`. */
function restore(line: string): string {
  const before = line.replace(/^(\s{0,3})\\/, '$1')
  return heading.test(before) ? before : line
}

/** A tag as a heading says it; one of several words in quotation marks, unless it has some itself. */
const shownTag = (tag: string): string =>
  tag.includes(' ') && !tag.includes('"') ? `#"${tag}"` : `#${tag.replaceAll(' ', '-')}`

/** Tags as a heading says them. */
const shownTags = /^#(?:"[^"]+"|\S+)(?: #(?:"[^"]+"|\S+))*$/

/** The tags that a heading says. */
const tagsIn = (said: string): string[] =>
  [...said.matchAll(/#(?:"([^"]+)"|(\S+))/g)].map(([, quoted, plain = '']) => quoted ?? plain)

/** What an entry's heading says beside its number and time, and the text below it. */
function partsOf(record: Recorded): { said: readonly (string | null)[]; text: string } {
  switch (record.type) {
    case 'memory': {
      const { caution, agent, text, tags, expiresAt } = record
      const said = [
        caution > 0 ? `flag, caution ${caution}` : null,
        agent,
        tags === undefined ? null : tags.map(shownTag).join(' '),
        expiresAt === undefined ? null : `until ${minute(expiresAt)}`,
      ]
      return { said, text: quiet(text) }
    }
    case 'version': {
      const { memoryId, replacedAt, agent, text } = record
      return { said: [`of memory ${memoryId} until ${minute(replacedAt)}`, agent], text: quiet(text) }
    }
    case 'dream':
      return { said: [`${record.kind} of ${record.sourceMemoryIds.join(', ')}`], text: quiet(record.thought) }
    case 'belief': {
      const { confidence, status, supersededBy, text } = record
      const state = supersededBy === null ? status : `superseded by ${supersededBy}`
      return { said: [`held at ${confidence.toFixed(2)}`, state], text: quiet(text) }
    }
    case 'evidence': {
      const { beliefId, kind, strength, note } = record
      return { said: [`${kind} belief ${beliefId}`, `strength ${strength}`], text: quiet(note ?? '') }
    }
    case 'prediction': {
      const { prediction, domain, confidence, basis, resolution } = record
      const ended = resolution === null ? 'open' : `${resolution.outcome}, ${minute(resolution.resolvedAt)}`
      const parts = [
        prediction,
        basis === null ? '' : `Basis: ${basis}`,
        resolution === null
          ? ''
          : `What happened: ${resolution.actual}${resolution.surprise === null ? '' : ` (surprise ${resolution.surprise.toFixed(2)})`}`,
      ]
      const text = parts.filter((part) => part !== '').map(quiet)
      return { said: [`${domain} at ${confidence}`, ended], text: text.join('\n\n') }
    }
    case 'observation': {
      const { observerAgent, subjectAgent, kind, observation } = record
      return { said: [`${observerAgent} about ${subjectAgent}`, kind], text: quiet(observation) }
    }
  }
}

/** The entry of a record. */
export function toMarkdown(record: Recorded): string {
  const { said, text } = partsOf(record)
  const head = [String(record.id), minute(record.createdAt), ...said].filter(
    (part) => part !== null && part !== '',
  )
  return `\n### ${head.join(' · ').replace(/\s+/g, ' ')}\n${text === '' ? '' : `\n${text}\n`}`
}

const pageStart = new RegExp(
  `^# \\S+\\r?\\n\\r?\\n## (?:${Object.values(kindHeadings).join('|')})\\r?\\n\\r?\\n### \\d+ · \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d · `,
)

/** Whether a document is a page of such an export, by its beginning. */
export const isPage = (beginning: string): boolean => pageStart.test(beginning)

const toTime = (said: string): number => Date.parse(`${said.replace(' ', 'T')}Z`)

/** What the heading of a memory says. An agent's name may hold the sign between the parts. */
function readHead(head: string) {
  const [id, time = '', ...said] = head.split(' · ')
  const caution = /^flag, caution (\S+)$/.exec(said[0] ?? '')?.[1]
  if (caution !== undefined) said.shift()
  // The agent is always said.
  const takeLast = (form: RegExp): string | undefined =>
    said.length > 1 && form.test(said.at(-1) ?? '') ? said.pop() : undefined
  const until = takeLast(/^until \d{4}-\d\d-\d\d \d\d:\d\d$/)
  const tags = takeLast(shownTags)
  return {
    id,
    caution: Number(caution ?? 0),
    tags: tags === undefined ? [] : tagsIn(tags),
    agent: said.join(' · '),
    createdAt: toTime(time),
    ...(until !== undefined && { expiresAt: toTime(until.replace('until ', '')) }),
  }
}

/** The memories and flags of a page; `leave` is called for every record of another kind, with the heading of that kind. */
export function readPage(page: string, leave: (kind: string) => void) {
  // No text has a zero byte: it marks the headings, which are told from code with the lines around them.
  const { lines } = changeLines(page.replaceAll('\0', ''), (line) =>
    /^##+ /.test(line) ? `\0${line}` : restore(line),
  )
  let kind = ''
  return lines
    .join('\n')
    .split('\n\0')
    .flatMap((part) => {
      const [, level, head = '', text = ''] = /^(##+) (.*)\n?([\s\S]*)$/.exec(part) ?? []
      if (level === '##') kind = head
      if (level !== '###') return []
      if (kind === kindHeadings.memory) return [{ ...readHead(head), text: text.trim() }]
      leave(kind)
      return []
    })
}
