/** Request headers as they were sent. Node merges doubled headers or drops all but one; here each one counts. */

/** Every value of a header, in order; `name` in lower case. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A header's bytes as UTF-8, which Node decodes as Latin-1; undefined if they are not UTF-8. */
export function decodeHeader(value: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'))
  } catch {
    return undefined
  }
}
