/**
 * Markdown by its sections: instruction files and memories of agents, folders of notes (Obsidian), basic-memory. A note
 * stands for itself, so each section keeps the headings it stands under; tables and code stay whole and as they are.
 */

import { maxTextBytes } from '../../core/limits.ts'
import { partsOf } from '../long-texts.ts'
import { isPage, readPage } from '../readable/markdown.ts'
import { type ForeignFormat, type ForeignNote, maxNoteCharacters } from './foreign-note.ts'
import { readFrontMatter, timeInName } from './front-matter.ts'
import { isItem, readSections } from './markdown-sections.ts'

/** Code, fenced or within a line, or a link. */
const codeOrLink =
  /(^[ \t]*(```+|~~~+)[\s\S]*?(?:^[ \t]*\2[`~]*[ \t]*$|$(?![\s\S]))|`[^`\n]{1,1000}`)|!?\[\[([^[\]|#\n]{1,400})(?:#[^[\]|\n]{0,400})?(?:\|([^[\]\n]{1,400}))?\]\]/gm

/** Links as they read: `[[Page|text]]` is text, `[[Page#Part]]` is Page. In code, brackets are a shell's. */
const plainLinks = (text: string): string =>
  text.replace(codeOrLink, (all, code?: string, _fence?: string, page?: string, shown?: string) =>
    code === undefined ? (shown ?? page ?? all).trim() : all,
  )

/** Blocks put together again: items of one list in lines, others apart. */
const join = (blocks: readonly string[]): string =>
  blocks.reduce((text, block, at) => {
    if (at === 0) return block
    return text + (isItem(block) && isItem(blocks[at - 1] ?? '') ? '\n' : '\n\n') + block
  }, '')

/** Blocks in groups of a length that one note may have; a longer block is not split. */
function group(blocks: readonly string[], room: number): string[][] {
  const groups: string[][] = []
  let length = 0
  for (const block of blocks) {
    const last = groups.at(-1)
    length += block.length + 2
    if (last !== undefined && length <= room) last.push(block)
    else {
      groups.push([block])
      length = block.length
    }
  }
  return groups
}

const nameOf = (path: string): string => path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '')

/** basic-memory's observations and relations: `- [category] text #tag (context)`, `- relation [[Other]]`. */
function readKnowledge(block: string, title: string): string | undefined {
  const observation = /^-\s+\[([a-z][\w -]{1,30})\]\s+(\S.*)$/i.exec(block)
  // A task list looks alike: its mark is a space or an x.
  if (observation !== null) return `${title} (${observation[1]}): ${observation[2]}`
  const relation = /^-\s+([a-z][\w -]{1,40}?)\s+\[\[([^\]]+)\]\]\s*(.*)$/i.exec(block)
  return relation === null
    ? undefined
    : `${title} ${relation[1]?.replaceAll('_', ' ')} [[${relation[2]}]] ${relation[3]}`.trim()
}

/** The tags that an observation names in its text. */
const tagsIn = (fact: string): string[] =>
  [...fact.matchAll(/(?<=\s)#([\p{L}\p{N}_/-]*\p{L}[\p{L}\p{N}_/-]*)/gu)].map(([, tag = '']) => tag)

/** File names that carry no information. */
const nameless = /^(?:readme|index|memory|claude|agents|gemini|notes?|untitled.*|brain|\.cursorrules|)$/i

/** An entry of an index of other notes, which are read by themselves. */
const isEntry = (block: string): boolean => /^[-*+]\s+\[[^\]]+\]\([^)\s]+\.md\)/.test(block)

const withoutMark = (item: string): string => item.replace(/^(?:[-*+]|\d{1,3}[.)])\s+/, '')

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Gemini keeps what it was asked to remember as items under one heading. */
const toldToRemember = 'Gemini Added Memories'

export interface MarkdownText {
  /** For people; its last part names the document that does not name itself. */
  readonly path: string
  readonly text: string
  readonly changedAt: number | undefined
  /** Whether the name of the file carries no information. */
  readonly nameless?: boolean
}

/** The notes of a document. */
export function notesInMarkdown(document: MarkdownText): ForeignNote[] {
  const { path, text, changedAt } = document
  const { title, description, tags, globs, time, permalink, body } = readFrontMatter(text)
  const createdAt = time ?? timeInName(nameOf(path)) ?? changedAt
  const file = document.nameless === true || nameless.test(nameOf(path)) ? '' : nameOf(path)
  const name = title ?? file
  const sections = readSections(body)
  // What a document is for belongs to what it says first.
  const first = sections.find(({ blocks }) => blocks.length > 0) ?? sections[0]
  if (description !== undefined) first?.blocks.unshift(description)
  return sections.flatMap(({ headings, blocks }) => {
    const trail = [name, ...headings].map((part) => plainLinks(part).trim()).filter((part) => part !== '')
    // A document's first heading is often its name once more.
    const head = trail.filter((part, at) => plain(part) !== plain(trail[at + 1] ?? '')).join(' > ')
    const about = { tags, createdAt, origin: head === '' ? path : `${path}: ${headings.at(-1) || name}` }
    if (headings.at(-1) === toldToRemember)
      return blocks.map((block) => ({ ...about, text: plainLinks(withoutMark(block)) }))
    if (blocks.length > 0 && blocks.every(isEntry)) return []
    const knows = permalink || /^(?:observations|relations)$/i.test(headings.at(-1) ?? '')
    const known = blocks.map((block) => (knows ? readKnowledge(block, name || head) : undefined))
    const facts = known.filter((fact) => fact !== undefined).map(plainLinks)
    const scope = globs.length === 0 ? '' : `For ${globs.join(', ')}:`
    const above = [head, scope].filter((part) => part !== '').join('\n\n')
    const room = Math.max(400, maxNoteCharacters - above.length - 2)
    const rest = blocks
      .filter((_, at) => known[at] === undefined)
      .map(plainLinks)
      // A block that no memory has room for: each of its parts stands under the headings, too.
      .flatMap((block) =>
        partsOf(block, Math.max(maxTextBytes / 2, maxTextBytes - Buffer.byteLength(above) - 2)),
      )
    const whole = group(rest, room).map((part) => `${above === '' ? '' : `${above}\n\n`}${join(part)}`)
    return [
      ...facts.map((fact) => ({ ...about, text: fact, tags: [...tags, ...tagsIn(fact)] })),
      ...whole.map((one) => ({ ...about, text: one })),
    ]
  })
}

export const markdown: ForeignFormat = {
  name: 'markdown',
  about:
    'Markdown by section: CLAUDE.md, AGENTS.md, GEMINI.md, memories of Claude Code (2.1), Obsidian, basic-memory (0.15 to 0.17)',
  files: [/\.(?:md|markdown)$/i],
  recognises: ({ path, isDatabase }) => !isDatabase && /\.(?:md|markdown)$/i.test(path),
  read: (file, leave) =>
    isPage(file.beginning)
      ? readPage(file.text(), leave).map(({ id, ...note }) => ({ ...note, origin: `${file.path}: ${id}` }))
      : notesInMarkdown({ path: file.path, text: file.text(), changedAt: file.changedAt }),
}
