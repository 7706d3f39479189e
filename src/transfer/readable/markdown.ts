/**
 * Records as Markdown that is read without this program: what each says, under what it is and when it was. Texts stay as
 * they are, but that none of their lines is taken for a heading of the page they stand on.
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

/** A text whose lines are no heading, and whose code ends where it ends. */
function quiet(text: string): string {
  let open: string | undefined
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const safe = lines.map((line) => {
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1]
    if (open === undefined && mark !== undefined) open = mark
    else if (open !== undefined && mark?.startsWith(open)) open = undefined
    else if (open === undefined && /^\s{0,3}(?:#{1,6}(?:\s|$)|={2,}\s*$|-{2,}\s*$)/.test(line))
      return line.replace(/[#=-]/, '\\$&')
    return line
  })
  return (open === undefined ? safe : [...safe, open]).join('\n').trim()
}

/** What an entry's heading says beside its number and time, and the text below it. */
function partsOf(record: Recorded): { said: readonly (string | null)[]; text: string } {
  switch (record.type) {
    case 'memory': {
      const { caution, agent, text, tags, expiresAt } = record
      const said = [
        caution > 0 ? `flag, caution ${caution}` : null,
        agent,
        tags === undefined ? null : tags.map((tag) => `#${tag.replaceAll(' ', '-')}`).join(' '),
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
