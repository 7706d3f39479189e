/** The body of an answer from a host that may send without end. Knows bytes only. */

/** The body as UTF-8 text; undefined when it is over `limit` bytes, which are then no longer read. */
export async function readBounded(response: Response, limit: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
