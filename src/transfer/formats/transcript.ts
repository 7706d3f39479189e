/** Claude Code's session transcripts: of a conversation, what the rules of capture would have kept. */
import { notesInMessage, notesInSummary } from '../../agents/capture.ts'
import { type ForeignFormat, type ForeignNote, memberOf, readTime, textOf, tryJson } from './foreign-note.ts'

/** The texts of a message: a string, or the text parts of a list. */
function textsIn(message: unknown): string[] {
  const content = memberOf(message, 'content')
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part) => (memberOf(part, 'type') === 'text' ? (textOf(part, 'text') ?? []) : []))
}

const entriesOf = (text: string): unknown[] =>
  // The last line of a session that goes on may be half written.
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : (tryJson(line) ?? [])))

const isEntry = (value: unknown): boolean =>
  textOf(value, 'sessionId') !== undefined &&
  /^(?:user|assistant|summary|system)$/.test(textOf(value, 'type') ?? '')

export const transcript: ForeignFormat = {
  name: 'claude-code-transcript',
  about: "Claude Code's session transcripts (2.x): lines that ask to be kept, and summaries",
  recognises: ({ path, text }) => /\.jsonl$/i.test(path) && entriesOf(text.slice(0, 262_144)).some(isEntry),
  read: ({ path, text }) =>
    entriesOf(text).flatMap((entry): ForeignNote[] => {
      const type = textOf(entry, 'type')
      const createdAt = readTime(memberOf(entry, 'timestamp'))
      const texts = textsIn(memberOf(entry, 'message'))
      const summary = memberOf(entry, 'isCompactSummary') === true
      // What a tool answered, or a hook put in, is nobody's word.
      if (memberOf(entry, 'isMeta') === true || memberOf(entry, 'toolUseResult') !== undefined) return []
      const notes = texts.flatMap((one) => {
        if (summary) return notesInSummary(one)
        if (type !== 'user' && type !== 'assistant') return []
        return notesInMessage(one, type === 'user' ? 'person' : 'agent')
      })
      return notes.map((note) => ({ ...note, createdAt, origin: `${path}: ${textOf(entry, 'uuid') ?? ''}` }))
    }),
}
