/** Plain text, a note a paragraph. Lines that are sentences of their own, one a note, are read by the import itself. */
import { type ForeignFormat, maxNoteCharacters } from './foreign-note.ts'

const paragraphsOf = (text: string): string[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n+/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')

/** Marks of Markdown, whose paragraphs stand under headings. */
const marked = /^(?:#{1,6} |```|~~~|\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+)/m

/** Whether lines go on in the next: then a line alone is half a sentence. */
function isWrapped(beginning: string): boolean {
  if (marked.test(beginning)) return false
  const paragraphs = paragraphsOf(beginning)
  const several = paragraphs.filter((paragraph) => paragraph.includes('\n'))
  return paragraphs.length > 1 && several.length * 2 >= paragraphs.length
}

/** A paragraph in pieces that one note may have, cut between lines. */
function cut(paragraph: string): string[] {
  if (paragraph.length <= maxNoteCharacters) return [paragraph]
  const pieces: string[] = []
  for (const line of paragraph.split('\n')) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + line.length < maxNoteCharacters)
      pieces[pieces.length - 1] = `${last}\n${line}`
    else pieces.push(line)
  }
  return pieces
}

export const paragraphed: ForeignFormat = {
  name: 'paragraphs',
  about: 'plain text, a note a paragraph',
  files: [/\.(?:txt|text)$/i],
  recognises: ({ path, beginning }) => /\.(?:txt|text)$/i.test(path) && isWrapped(beginning),
  *read(file) {
    for (const paragraph of paragraphsOf(file.text()))
      for (const text of cut(paragraph)) yield { text, createdAt: file.changedAt, origin: file.path }
  },
}
