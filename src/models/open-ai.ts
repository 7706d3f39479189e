/**
 * A request to a server that speaks OpenAI's protocol. Trusts nothing of it: time and size of an answer are bounded, and the
 * key goes nowhere else. Knows neither what is asked nor what the answer means.
 */

/** The resource below a base address (`https://host/v1`), or the one that the address names already. */
export function resourceOf(address: string, path: string): URL {
  const resource = new URL(address)
  const named = resource.pathname.replace(/\/+$/, '')
  if (!named.endsWith(`/${path}`)) resource.pathname = `${named}/${path}`
  return resource
}

export interface Question {
  readonly resource: URL
  readonly key: string | undefined
  readonly body: object
  /** Milliseconds from the request to the last byte of the answer. */
  readonly timeLimit: number
  /** Bytes of the longest answer. */
  readonly sizeLimit: number
  readonly signal?: AbortSignal | undefined
  readonly fetch?: typeof fetch | undefined
}

/** The body as UTF-8 text; undefined when it is over `limit` bytes, which are then no longer read. */
async function readBounded(response: Response, limit: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What is parsed of the answer. @throws what `failed` makes of the reason, which goes on after a name of the server. */
export async function ask(
  { resource, key, body, timeLimit, sizeLimit, signal, fetch: request = fetch }: Question,
  failed: (why: string, cause?: unknown) => Error,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeLimit)
  const at = (why: string, cause?: unknown): Error => failed(`at ${resource.host} ${why}`, cause)

  async function send(): Promise<string | Error> {
    const response = await request(resource, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      redirect: 'error',
    })
    if (response.ok) return (await readBounded(response, sizeLimit)) ?? at('sent more than was asked for')
    await response.body?.cancel()
    return at(`answered ${response.status}`)
  }

  const answer = await send().catch((error: unknown) => {
    if (signal?.aborted) throw error
    return at(timeout.aborted ? `did not answer within ${timeLimit} ms` : 'cannot be reached', error)
  })
  if (answer instanceof Error) throw answer
  try {
    return JSON.parse(answer)
  } catch (error) {
    throw at('sent no JSON', error)
  }
}
