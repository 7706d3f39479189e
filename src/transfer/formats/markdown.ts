/**
 * Markdown by its sections: instruction files of agents, folders of notes (Obsidian), basic-memory. A note stands for
 * itself, so each section keeps the headings it stands under; tables and code stay whole.
 */
import { type ForeignFormat, type ForeignNote, maxNoteCharacters, readTime } from './foreign-note.ts'

interface Section {
  /** Headings from the outermost to its own. */
  readonly headings: readonly string[]
  readonly blocks: readonly string[]
}

interface Document {
  readonly title: string | undefined
  readonly tags: readonly string[]
  readonly time: number | undefined
  readonly body: string
}

const fence = /^\s{0,3}(```+|~~~+)/

/** The value of a member of front matter, in the simple forms that people write. */
function frontMatterOf(head: string, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = new RegExp(`^${name}\\s*:[ \\t]*(.+)$`, 'im').exec(head)?.[1]?.trim()
    if (found) return found.replace(/^(["'])(.*)\1$/, '$2')
  }
  return undefined
}

/** Tags of front matter: `a, b`, `[a, b]` or one a line. */
function tagsOf(head: string): string[] {
  const line = frontMatterOf(head, 'tags')
  const listed = /^tags\s*:\s*\n((?:\s*-\s+.+\n?)+)/im.exec(head)?.[1]
  const text = line ?? listed?.replace(/^\s*-\s+/gm, ',') ?? ''
  return text
    .replace(/[[\]"'#]/g, '')
    .split(/[,\n]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

function readDocument(text: string): Document {
  const whole = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const front = /^---\n([\s\S]*?)\n(?:---|\.\.\.)(?:\n|$)/.exec(whole)
  const head = front?.[1] ?? ''
  return {
    title: frontMatterOf(head, 'title'),
    tags: tagsOf(head),
    time: readTime(frontMatterOf(head, 'created', 'date', 'created_at', 'updated', 'modified')),
    body: whole.slice(front?.[0].length ?? 0).replace(/<!--[\s\S]*?-->/g, ''),
  }
}

/** A link as it reads: `[[Page|text]]` is text, `[[Page#Part]]` is Page. */
const plainLinks = (text: string): string =>
  text.replace(/!?\[\[([^\]|#]+)(?:#[^\]|]*)?(?:\|([^\]]+))?\]\]/g, (_, page: string, shown?: string) =>
    (shown ?? page).trim(),
  )

const heading = /^(#{1,6})\s+(.+?)\s*#*\s*$/
const rule = /^\s{0,3}(?:-\s*){3,}$|^\s{0,3}(?:\*\s*){3,}$|^\s{0,3}(?:_\s*){3,}$/

/** The sections of a body, each with its blocks: paragraphs, lists by their items, tables and code whole. */
function readSections(body: string): Section[] {
  const sections: { headings: string[]; blocks: string[] }[] = [{ headings: [], blocks: [] }]
  let block: string[] = []
  let open: string | undefined
  const close = (): void => {
    const text = block.join('\n').trimEnd()
    if (text.trim() !== '') sections.at(-1)?.blocks.push(text)
    block = []
  }
  for (const line of body.split('\n')) {
    const mark = fence.exec(line)?.[1]
    if (open !== undefined) {
      block.push(line)
      if (mark?.startsWith(open)) {
        open = undefined
        close()
      }
      continue
    }
    if (mark !== undefined) {
      open = mark
      block.push(line)
      continue
    }
    const title = heading.exec(line)
    if (title !== null) {
      close()
      const depth = title[1]?.length ?? 1
      const outer = (sections.at(-1)?.headings ?? []).slice(0, depth - 1)
      while (outer.length < depth - 1) outer.push('')
      sections.push({ headings: [...outer, title[2] ?? ''], blocks: [] })
    } else if (line.trim() === '' || rule.test(line)) {
      close()
    } else if (/^(?:[-*+]|\d{1,3}[.)])\s/.test(line) && !(block[0]?.startsWith('|') ?? false)) {
      // Each item at the margin with what is indented below it.
      close()
      block.push(line)
    } else block.push(line)
  }
  close()
  return sections
}

const isItem = (block: string): boolean => /^(?:[-*+]|\d{1,3}[.)])\s/.test(block)

/** Blocks put together again: items of one list in lines, others apart. */
const join = (blocks: readonly string[]): string =>
  blocks.reduce((text, block, at) => {
    if (at === 0) return block
    return text + (isItem(block) && isItem(blocks[at - 1] ?? '') ? '\n' : '\n\n') + block
  }, '')

/** Blocks in groups of a length that one note may have; a block that is longer by itself stays whole. */
function group(blocks: readonly string[], room: number): string[][] {
  const groups: string[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    if (last !== undefined && join([...last, block]).length <= room) last.push(block)
    else groups.push([block])
  }
  return groups
}

const nameOf = (path: string): string => path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '')

/** basic-memory's observations and relations: `- [category] text #tag (context)`, `- relation [[Other]]`. */
function readKnowledge(block: string, title: string): string | undefined {
  const observation = /^-\s+\[([a-z][\w -]{1,30})\]\s+(\S.*)$/i.exec(block)
  // A task list looks alike: its mark is a space or an x.
  if (observation !== null && !/^x$/i.test(observation[1] ?? ''))
    return `${title} (${observation[1]}): ${observation[2]}`
  const relation = /^-\s+([a-z][\w ]{1,40}?)\s+\[\[([^\]]+)\]\]\s*(.*)$/i.exec(block)
  return relation === null ? undefined : `${title} ${relation[1]} ${relation[2]} ${relation[3]}`.trim()
}

/** The date in a daily note's name. */
const timeInName = (path: string): number | undefined => readTime(/\d{4}-\d{2}-\d{2}/.exec(nameOf(path))?.[0])

/** Files named so say nothing by their name. */
const nameless = /^(?:readme|index|memory|claude|agents|gemini|notes?|untitled.*|brain)$/i

function readMarkdown({
  path,
  text,
  changedAt,
}: {
  path: string
  text: string
  changedAt: number | undefined
}): ForeignNote[] {
  const { title, tags, time, body } = readDocument(text)
  const createdAt = time ?? timeInName(path) ?? changedAt
  const name = title ?? (nameless.test(nameOf(path)) ? '' : nameOf(path))
  const tail = tags.length > 0 ? `\n\nTags: ${tags.join(', ')}` : ''
  return readSections(body).flatMap(({ headings, blocks }) => {
    const trail = [name, ...headings].map((part) => plainLinks(part).trim()).filter((part) => part !== '')
    // A document's first heading is often its name once more.
    const shown = trail.filter((part, at) => part.toLowerCase() !== trail[at - 1]?.toLowerCase())
    const head = shown.join(' > ')
    const known = blocks.map((block) => readKnowledge(block, name || head))
    const facts = known.filter((fact) => fact !== undefined).map((fact) => plainLinks(fact))
    const rest = blocks.filter((_, at) => known[at] === undefined).map(plainLinks)
    const room = Math.max(400, maxNoteCharacters - head.length - tail.length - 2)
    const whole = group(rest, room).map((part) => `${head === '' ? '' : `${head}\n\n`}${join(part)}${tail}`)
    return [...facts, ...whole].map((note) => ({
      text: note,
      createdAt,
      origin: head === '' ? path : `${path}: ${headings.at(-1) ?? name}`,
    }))
  })
}

export const markdown: ForeignFormat = {
  name: 'markdown',
  about: 'Markdown by section: CLAUDE.md, AGENTS.md, GEMINI.md, .mdc rules, Obsidian, basic-memory 0.15',
  recognises: ({ path }) => /\.(?:md|mdc|markdown)$/i.test(path),
  read: readMarkdown,
}
