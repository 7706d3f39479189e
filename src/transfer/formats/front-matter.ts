/** The metadata of a document above its text, in the simple forms of YAML that people and tools write there. */
import { readTime } from './foreign-note.ts'

export interface FrontMatter {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[]
  /** Cursor's: the files that a rule applies to, as patterns; none of a rule that always applies. */
  readonly globs: readonly string[]
  /** When it was made, in milliseconds. */
  readonly time: number | undefined
  /** Whether it is basic-memory's, which gives each of its documents one. */
  readonly permalink: boolean
  /** The rest of the document, its line ends those of Unix. */
  readonly body: string
}

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2')

/** The value of a member at the margin; one that begins a list or a block has none. */
function memberIn(head: string, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = new RegExp(`^${name}[ \\t]*:[ \\t]*(.+)$`, 'im').exec(head)?.[1]?.trim()
    if (found && !/^[|>][-+]?$/.test(found)) return unquoted(found)
  }
  return undefined
}

/** Tags: `a, b`, `[a, b]` and one a line. */
function tagsOf(head: string): string[] {
  const line = memberIn(head, 'tags', 'tag', 'keywords')
  const listed = /^tags[ \t]*:[ \t]*\n((?:[ \t]*-[ \t]+.+(?:\n|$))+)/im.exec(head)?.[1]
  return [listed?.replace(/^[ \t]*-[ \t]+/gm, ','), line]
    .join(',')
    .replace(/[[\]"'#]/g, '')
    .split(/[,\n]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

/** The values of a list, one a line; none where it is no list. */
function itemsIn(head: string, name: string): string[] {
  const list = new RegExp(`^${name}[ \\t]*:[ \\t]*\\n((?:[ \\t]*-[ \\t]+.+(?:\\n|$))+)`, 'im').exec(head)?.[1]
  return list === undefined
    ? []
    : list
        .trimEnd()
        .split('\n')
        .map((line) => unquoted(line.replace(/^[ \t]*-/, '').trim()))
}

/** Patterns of files: `*.ts, *.tsx`, `["*.ts"]` and one a line. A comma within braces is the pattern's own. */
function globsOf(head: string): string[] {
  if (/^true$/i.test(memberIn(head, 'alwaysApply') ?? '')) return []
  const line = memberIn(head, 'globs') ?? ''
  const listed = /^\[\s*(["'].*["'])\s*\]$/.exec(line)?.[1] ?? line
  const given = listed.split(/,(?![^{]*\})/).map((glob) => unquoted(glob.trim()))
  return [...given, ...itemsIn(head, 'globs')].filter((glob) => glob !== '')
}

/** What Claude Code calls the kinds of its memories. */
const kindsOfMemory = new Set(['user', 'feedback', 'project', 'reference'])

export function readFrontMatter(text: string): FrontMatter {
  const whole = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const front = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(whole)
  const head = front?.[1] ?? ''
  const kind = /^[ \t]*type[ \t]*:[ \t]*(\w+)/m.exec(head)?.[1]
  return {
    title: memberIn(head, 'title', 'name'),
    description: memberIn(head, 'description'),
    tags: [...tagsOf(head), ...(kind !== undefined && kindsOfMemory.has(kind) ? [kind] : [])],
    globs: globsOf(head),
    time: readTime(memberIn(head, 'created', 'date', 'created_at', 'updated', 'updated_at', 'modified')),
    permalink: memberIn(head, 'permalink') !== undefined,
    body: whole.slice(front?.[0].length ?? 0),
  }
}

/** The date in a daily note's name. */
export const timeInName = (name: string): number | undefined => readTime(/\d{4}-\d{2}-\d{2}/.exec(name)?.[0])
