/**
 * Text in columns: how wide it is on a terminal, where it may break, and how rows line up. Knows Unicode widths;
 * nothing of colours or of the text's meaning.
 */

/** Marks, format characters, and the vowels and final consonants that a Hangul syllable is composed with. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u
/**
 * East Asian wide and fullwidth characters take two columns (Unicode Standard Annex 11): JavaScript has no property for them,
 * so these are the blocks, beside the pictures, which have one.
 */
const doubleWidth =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]$/u
/** What pictures of several characters have: one that is a picture by itself, or what makes one of text or joins them. */
const pictures = /\p{Emoji_Presentation}|\ufe0f|\u200d/u
/**
 * Such pictures: joined, with a colour of skin, a flag, a digit in a key. As text: the compiler takes no flag `v` in a
 * literal.
 */
const joinedPictures = '\\p{RGI_Emoji}'
let joined: RegExp | undefined

/** Each picture of several characters as one character of its width. */
function mergePictures(text: string): string {
  if (!pictures.test(text)) return text
  // On demand: to make it takes milliseconds.
  joined ??= new RegExp(joinedPictures, 'gv')
  return text.replace(joined, '\u3000')
}

const colourCodes = /\u001b\[[\d;]*m/g

/** Columns that a text takes on a terminal; colour codes take none. */
export function displayWidth(text: string): number {
  const plain = text.replace(colourCodes, '')
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length
  let width = 0
  for (const character of mergePictures(plain)) {
    if (zeroWidth.test(character)) continue
    width += doubleWidth.test(character) ? 2 : 1
  }
  return width
}

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)))

const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - displayWidth(text))) + text

/** One line of at most `width` columns, cut off at its end. */
export function cutAt(line: string, width: number): string {
  if (displayWidth(line) <= width) return line
  const [piece = ''] = cut(line, width - 1)
  return `${piece}…`
}

/** Pieces of a word that is wider than a line. */
function cut(word: string, width: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
    if (piece !== '' && displayWidth(piece + character) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return piece === '' ? pieces : [...pieces, piece]
}

function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line
    .split(/ +/)
    .flatMap((word) => (displayWidth(word) > width ? cut(word, width) : [word]))) {
    const longer = current === '' ? word : `${current} ${word}`
    if (displayWidth(longer) <= width) current = longer
    else {
      lines.push(current)
      current = word
    }
  }
  return [...lines, current]
}

/** Columns that a text needs to be read in. */
const leastColumns = 20

/** How far in a text stands beneath its head, where there is no room beside it. */
const beneath = 4

/** The lines of a text, none wider than `width` columns (at least 20); an infinite width keeps its own. */
function wrap(text: string, width: number): string[] {
  const lines = text.split('\n')
  return Number.isFinite(width)
    ? lines.flatMap((line) => wrapLine(line, Math.max(leastColumns, width)))
    : lines
}

/** Whether there is room for a text beside `head`. */
export const fitsBeside = (head: string, width: number): boolean =>
  displayWidth(head) <= Math.max(beneath, width - leastColumns)

/** `text` after `head`, wrapped at `width` columns, its further lines as far in as the first; beneath it without room. */
export function hang(head: string, text: string, width: number): string {
  if (!fitsBeside(head, width)) {
    const lines = wrap(text, width - beneath).map((line) => ' '.repeat(beneath) + line)
    return [...wrap(head.trimEnd(), width), ...lines].join('\n')
  }
  const indent = displayWidth(head)
  return head + wrap(text, width - indent).join(`\n${' '.repeat(indent)}`)
}

/** The same in one line, cut off at its end; in two without room. */
export function cutBeside(head: string, text: string, width: number): string {
  if (fitsBeside(head, width)) return head + cutAt(text, width - displayWidth(head))
  return `${head.trimEnd()}\n${' '.repeat(beneath)}${cutAt(text, Math.max(leastColumns, width - beneath))}`
}

interface Page {
  readonly total: number
  readonly page: number
}

/** How to see what is not on a page of at most `limit`, of which `count` are shown; nothing where all are. */
export function moreOf({ total, page }: Page, { limit, count }: { limit: number; count: number }): string[] {
  const shown = (page - 1) * limit + count
  return shown < total ? [`${shown} of ${total}: --page ${page + 1} shows the next`] : []
}

/** Rows as aligned columns, two spaces apart; the columns named in `right` end together instead. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  { right = [] }: { readonly right?: readonly number[] } = {},
): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell))
  }
  return rows.map((row) =>
    row
      .map((cell, at) =>
        right.includes(at) ? padStart(cell, widths[at] ?? 0) : padEnd(cell, widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
