/** Cuts texts to a length without breaking a sentence or a word. Knows characters, and nothing of what a text is for. */

/**
 * The text on one line in at most `limit` characters (code points), 2 or more: cut after a sentence where one ends in its
 * second half, else after a word, with an ellipsis in place of the rest.
 */
export function excerptOf(text: string, limit: number): string {
  const line = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  const points = [...line]
  if (points.length <= limit) return line
  const head = points.slice(0, limit - 1).join('')
  const sentence = Math.max(...['. ', '! ', '? '].map((end) => head.lastIndexOf(end)))
  if (sentence >= head.length / 2) return `${head.slice(0, sentence + 1)} …`.slice(0, limit + 1)
  const word = head.lastIndexOf(' ')
  return `${word > head.length / 2 ? head.slice(0, word) : head}…`
}
