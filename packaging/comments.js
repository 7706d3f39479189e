/**
 * Wraps comments that are wider than a page; with --check it names them instead. The formatter leaves comments alone.
 * Knows comments on lines of their own, and nothing of code.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lines that are wider are wrapped, to a narrower width: a word too many is not worth two lines more. */
const [widest, width] = [130, 120]
/**
 * A line of a comment that is none of running text: what begins a list, a tag, a table, a sample, or is said to a tool.
 */
const fixed = /^(?:$|[-|@`>]|\d+\. |\s)|biome-ignore|@ts-/

/** Words on lines of at most `room` characters; a longer word has a line of its own. */
function fill(text, room) {
  const lines = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/**
 * The lines of a comment that follow one another, each from its mark on, those wrapped that are too wide and what
 * follows them.
 */
function reflow(lines, mark) {
  const wrapped = []
  let carried = ''
  const flush = () => {
    if (carried !== '') wrapped.push(...fill(carried, width - mark.length).map((line) => mark + line))
    carried = ''
  }
  for (const line of lines) {
    const text = line.slice(mark.length)
    if (fixed.test(text)) flush()
    if (carried !== '') carried += ` ${text}`
    else if (line.length > widest && !fixed.test(text)) carried = text
    else wrapped.push(line.trimEnd())
  }
  flush()
  return wrapped
}

/** The text of a file with its comments wrapped. */
function wrap(text) {
  const lines = text.split('\n')
  const out = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]
    const [, indent = '', opening, said] = /^(\s*)(\/\*\*?) (.*\S) ?\*\/$/.exec(line) ?? []
    const [mark] = /^\s*(?:\/\/|\*) /.exec(line) ?? []
    if (opening !== undefined && line.length > widest) {
      out.push(
        indent + opening,
        ...fill(said, width - indent.length - 3).map((part) => `${indent} * ${part}`),
        `${indent} */`,
      )
      at += 1
    } else if (mark !== undefined) {
      let end = at
      while (lines[end]?.startsWith(mark)) end += 1
      out.push(...reflow(lines.slice(at, end), mark))
      at = end
    } else {
      out.push(line)
      at += 1
    }
  }
  return out.join('\n')
}

const rooms = ['bench', 'packaging', 'src', 'test']
const files = rooms
  .flatMap((room) => readdirSync(room, { recursive: true }).map((file) => join(room, file)))
  .filter((file) => /\.(?:[jt]sx?)$/.test(file) && !file.endsWith('programs.ts'))
const wide = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  const wrapped = wrap(text)
  if (wrapped === text) return []
  if (!process.argv.includes('--check')) writeFileSync(file, wrapped)
  return [file]
})
if (process.argv.includes('--check') && wide.length > 0) {
  process.stderr.write(
    `comments wider than ${widest} columns, which \`node packaging/comments.js\` wraps:\n${wide.join('\n')}\n`,
  )
  process.exitCode = 1
}
