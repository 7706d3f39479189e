/**
 * Claude Code's session transcripts: of a conversation, what the rules of capture would have kept. Lines that ask for it,
 * sections of a compaction's summary, and what made a failing command pass; commits are in the repository.
 */
import {
  type Attempts,
  afterFailure,
  afterPass,
  beforeEdit,
  type CapturedNote,
  firstErrorLine,
  notesInMessage,
  notesInSummary,
} from '../../agents/capture.ts'
import { redactSecrets } from '../../agents/secrets.ts'
import { memberOf } from '../../core/json.ts'
import { type ForeignFormat, listOf, readTime, textOf } from './foreign-note.ts'

/** Commands whose answer is waited for. */
const maxPending = 100

const partsOf = (entry: unknown): readonly unknown[] =>
  listOf(memberOf(memberOf(entry, 'message'), 'content'))

/** The texts of a message: a string, or the text parts of a list. */
function textsIn(entry: unknown): string[] {
  const content = memberOf(memberOf(entry, 'message'), 'content')
  if (typeof content === 'string') return [content]
  return partsOf(entry).flatMap((part) =>
    memberOf(part, 'type') === 'text' ? (textOf(part, 'text') ?? []) : [],
  )
}

const isEntry = (value: unknown): boolean =>
  textOf(value, 'sessionId') !== undefined &&
  /^(?:user|assistant|summary|system|attachment|progress)$/.test(textOf(value, 'type') ?? '')

/** What was run and edited in one session, as its hooks would have seen it. */
class Tools {
  #commands = new Map<string, string>()
  #attempts: Attempts = { failures: [], edited: [], ran: [] }

  /** What an entry's tools were asked to do, or did. Returns what is to be kept of it. */
  read(entry: unknown): CapturedNote[] {
    return partsOf(entry).flatMap((part) => {
      const type = memberOf(part, 'type')
      if (type === 'tool_use') this.#ask(part)
      return type === 'tool_result' ? this.#answer(part) : []
    })
  }

  #ask(part: unknown): void {
    const input = memberOf(part, 'input')
    const [id, command, path] = [textOf(part, 'id'), textOf(input, 'command'), textOf(input, 'file_path')]
    if (id !== undefined && command !== undefined && textOf(part, 'name') === 'Bash') {
      this.#commands.set(id, redactSecrets(command).text)
      const [oldest] = this.#commands.keys()
      if (this.#commands.size > maxPending && oldest !== undefined) this.#commands.delete(oldest)
    }
    const edits = /^(?:Edit|MultiEdit|Write|NotebookEdit)$/.test(textOf(part, 'name') ?? '')
    if (edits && path !== undefined) this.#attempts = beforeEdit(this.#attempts, [path])
  }

  #answer(part: unknown): CapturedNote[] {
    const command = this.#commands.get(textOf(part, 'tool_use_id') ?? '')
    if (command === undefined) return []
    if (memberOf(part, 'is_error') === true) {
      const content = memberOf(part, 'content')
      const output =
        typeof content === 'string'
          ? content
          : listOf(content)
              .map((one) => textOf(one, 'text') ?? '')
              .join('\n')
      const error = firstErrorLine(redactSecrets(output).text)
      if (error !== '') this.#attempts = afterFailure(this.#attempts, { command, error })
      return []
    }
    const { state, notes } = afterPass(this.#attempts, command)
    this.#attempts = state
    return notes
  }
}

function notesIn(entry: unknown): CapturedNote[] {
  const type = textOf(entry, 'type')
  if (memberOf(entry, 'isCompactSummary') === true) return textsIn(entry).flatMap(notesInSummary)
  if (type !== 'user' && type !== 'assistant') return []
  return textsIn(entry).flatMap((text) => notesInMessage(text, type === 'user' ? 'person' : 'agent'))
}

export const transcript: ForeignFormat = {
  name: 'claude-code-transcript',
  about:
    "Claude Code's session transcripts (2.x): lines that ask to be kept, summaries, what mended a command",
  files: [/\.jsonl$/i],
  recognises: ({ path, leading }) => /\.jsonl$/i.test(path) && leading.some(isEntry),
  *read(file) {
    const tools = new Tools()
    for (const entry of file.values()) {
      // What a hook put in is nobody's word, and in a side chain an agent speaks where a person would.
      if (memberOf(entry, 'isMeta') === true || memberOf(entry, 'isSidechain') === true) continue
      const mended = tools.read(entry)
      const said = memberOf(entry, 'toolUseResult') === undefined ? notesIn(entry) : []
      const createdAt = readTime(memberOf(entry, 'timestamp'))
      for (const note of [...said, ...mended])
        yield { ...note, createdAt, origin: `${file.path}: ${textOf(entry, 'uuid') ?? ''}` }
    }
  },
}
