/**
 * The memories of Codex (`~/.codex/memories`): its handbook and the recaps of its sessions, Markdown in its own form.
 * What they were made from, and what is made from them, is passed over.
 */
import { BrainError } from '../../core/errors.ts'
import {
  databaseFiles,
  type ForeignFile,
  type ForeignFormat,
  readTime,
  unknownVersion,
} from './foreign-note.ts'
import { notesInMarkdown } from './markdown.ts'

const known = 'v1'

type Part = 'handbook' | 'recap' | 'summary' | 'raw'

function partOf({ path, beginning }: Pick<ForeignFile, 'path' | 'beginning'>): Part | undefined {
  const name = path.replace(/^.*[\\/]/, '').toLowerCase()
  if (name === 'memory.md' && /^# Task Group:/m.test(beginning)) return 'handbook'
  if (name === 'memory_summary.md' && /^v\d+\s*$/m.test(beginning.split('\n', 1)[0] ?? '')) return 'summary'
  if (name === 'raw_memories.md' && /^# Raw Memories/m.test(beginning)) return 'raw'
  if (name.endsWith('.md') && /^thread_id:\s*\S/m.test(beginning) && /^rollout_path:\s*\S/m.test(beginning))
    return 'recap'
  return undefined
}

/** Without the lists of files that only Codex can follow; keywords stay as a line, by which a task is found. */
const readable = (text: string): string =>
  text
    .replace(/^# Task Group:\s*/gm, '# ')
    .replace(/^applies_to:.*$/gm, '')
    .replace(/^scope:\s*/gm, '')
    .replace(/^### rollout_summary_files[ \t]*\n(?:[ \t]*\n|[ \t]*-.*\n?)*/gm, '')
    .replace(/^### keywords[ \t]*\n+-[ \t]*(.*)$/gm, 'Keywords: $1')
    .replace(/(?:[ \t]{0,4}\[Task \d{1,4}\]){1,50}$/gm, '')

/** The lines above a recap: of which session it is. */
const header = /^(?:(?:thread_id|updated_at|rollout_path|cwd|git_branch):.*\n)+/m

export const codexMemories: ForeignFormat = {
  name: 'codex-memories',
  about: `Codex: ~/.codex/memories, its MEMORY.md and recaps of sessions (${known})`,
  files: [/\.md$/i, databaseFiles],
  recognises: (file) =>
    file.database?.tables.has('stage1_outputs') ?? (/\.md$/i.test(file.path) && partOf(file) !== undefined),
  *read(file) {
    const { path, changedAt, database } = file
    if (database !== undefined) {
      throw new BrainError(
        'invalid',
        `${path} is Codex's own database, from which it makes the files in ~/.codex/memories: import that folder`,
      )
    }
    const part = partOf(file)
    if (part === 'summary') {
      const version = file.beginning.split('\n', 1)[0]?.trim() ?? ''
      if (version !== known) throw unknownVersion(file, `memories of Codex of version ${version}`, known)
    }
    // The one is cut short from the handbook, the other is what the handbook was made from.
    if (part === 'summary' || part === 'raw') return
    const text = file.text().replace(/\r\n?/g, '\n')
    if (part === 'recap') {
      const at = readTime(/^updated_at:\s*(\S+)/m.exec(text)?.[1])
      yield* notesInMarkdown({
        path,
        text: text.replace(header, ''),
        changedAt: at ?? changedAt,
        nameless: true,
      })
    } else yield* notesInMarkdown({ path, text: readable(text), changedAt })
  },
}
