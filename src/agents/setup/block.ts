/**
 * Our block in somebody else's file: inserted, updated, removed, with everything around it byte for byte unchanged.
 * Knows marks and hashes; the content is the caller's.
 */
import { createHash } from 'node:crypto'
import { BrainError } from '../../core/errors.ts'
import { literally } from '../../core/patterns.ts'

/** How a file's format writes a comment of one line. */
export interface CommentStyle {
  readonly open: string
  readonly close: string
}

export const markdownComment: CommentStyle = { open: '<!-- ', close: ' -->' }
export const tomlComment: CommentStyle = { open: '# ', close: '' }

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 16)

interface Found {
  readonly start: number
  /** After the end mark and its line end. */
  readonly end: number
  readonly content: string
  readonly hash: string
}

function findBlock(text: string, { open, close }: CommentStyle): Found | undefined {
  const begin = new RegExp(`^${literally(open)}brain:begin ([0-9a-f]{16})${literally(close)}\r?\n`, 'm').exec(
    text,
  )
  if (begin === null) return undefined
  const from = begin.index + begin[0].length
  const mark = `${open}brain:end${close}`
  const to = text.indexOf(mark, from)
  if (to < 0) throw new BrainError('refused', 'it has a brain:begin without a brain:end: remove that line')
  const after = to + mark.length
  const lineEnd = /^\r?\n/.exec(text.slice(after))?.[0].length ?? 0
  return {
    start: begin.index,
    end: after + lineEnd,
    content: text.slice(from, to).replace(/\r\n/g, '\n').replace(/\n$/, ''),
    hash: begin[1] ?? '',
  }
}

/** @throws BrainError `refused` where the block is not as we wrote it. */
function findOwnBlock(text: string, style: CommentStyle): Found | undefined {
  const found = findBlock(text, style)
  if (found !== undefined && hashOf(found.content) !== found.hash) {
    throw new BrainError(
      'refused',
      'somebody edited the block between brain:begin and brain:end: move those lines out of it, or remove the block',
    )
  }
  return found
}

/** The text with the block set to `content`. @throws BrainError `refused` if a person edited the block. */
export function putBlock(text: string, content: string, style: CommentStyle): string {
  const { open, close } = style
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const block = [
    `${open}brain:begin ${hashOf(content)}${close}`,
    ...content.split('\n'),
    `${open}brain:end${close}`,
    '',
  ].join(lineEnd)
  const found = findOwnBlock(text, style)
  if (found !== undefined) return text.slice(0, found.start) + block + text.slice(found.end)
  if (text === '') return block
  return `${text}${text.endsWith('\n') ? '' : lineEnd}${lineEnd}${block}`
}

/** The text without the block. @throws BrainError `refused` if a person edited the block. */
export function takeBlock(text: string, style: CommentStyle): string {
  const found = findOwnBlock(text, style)
  if (found === undefined) return text
  const [before, after] = [text.slice(0, found.start), text.slice(found.end)]
  // The empty line that was put before the block goes with it.
  return (after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : before) + after
}
