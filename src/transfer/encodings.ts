/** Texts that are not UTF-8, and the command that makes them so. */

/** What converts a file that begins, or goes on, with these bytes. */
export function converterOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  // The mark that most programs put before UTF-16.
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return `iconv -f ${isMarked ? 'utf-16' : 'latin1'} -t utf-8 FILE`
}
