/** The message when the address is taken by a brain's daemon, perhaps this brain's own. */
import { BrainError, codeOf } from '../core/errors.ts'
import { memberOf } from '../core/json.ts'

/** Milliseconds that the listening program has to identify itself. */
const timeToAnswer = 1_000

const isTaken = ({ cause }: BrainError): boolean => codeOf(cause) === 'EADDRINUSE'

async function isBrain(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health`, {
      signal: AbortSignal.timeout(timeToAnswer),
      redirect: 'error',
    })
    return memberOf(await answer.json(), 'status') === 'ok'
  } catch {
    return false
  }
}

/** The error as it is, or, where a daemon of brain has the address, one that says so. */
export async function tellOfOther(error: unknown, host: string, port: number): Promise<unknown> {
  if (!(error instanceof BrainError) || !isTaken(error)) return error
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (!(await isBrain(url))) return error
  return new BrainError(
    'failed',
    `cannot listen on ${host}:${port}: a brain is served there already; use it if it is this one, or name another port with --port (0 takes a free one)`,
    { cause: error },
  )
}
