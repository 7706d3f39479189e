/** Texts that are not UTF-8, and the command that makes them so. */

/** What converts a file that has these bytes, at its beginning or further on. */
export function converterOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  // The mark that most programs put before UTF-16.
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const encoding = isMarked ? 'utf-16' : bytes.includes(0) ? 'utf-16le' : 'latin1'
  return `iconv -f ${encoding} -t utf-8 FILE`
}
