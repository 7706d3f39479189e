/**
 * The page's one way to the daemon: operations by their routes, and what an answer that is none means. Knows requests;
 * what is asked and shown is the views'.
 */
import { signal } from '@preact/signals'
import type { Methods, VariantOutput } from '../library-methods.ts'

/** Every operation the page uses, by where HTTP serves it. */
export const routes = {
  assess: 'POST /v1/assess',
  assessFeedback: 'POST /v1/assess/feedback',
  beliefs: 'GET /v1/beliefs',
  calibration: 'GET /v1/calibration',
  duplicates: 'POST /v1/duplicates',
  dreamFeedback: 'POST /v1/dreams/feedback',
  expire: 'POST /v1/expire',
  evidence: 'POST /v1/evidence',
  amend: 'POST /v1/amend',
  forecast: 'POST /v1/forecast',
  forget: 'POST /v1/forget',
  list: 'GET /v1/records',
  overview: 'GET /v1/overview',
  predictions: 'GET /v1/predictions',
  pin: 'POST /v1/pin',
  recall: 'POST /v1/recall/explain',
  reopen: 'POST /v1/reopen',
  resolve: 'POST /v1/resolve',
  show: 'GET /v1/records/:kind/:id',
  state: 'GET /v1/state',
  tag: 'POST /v1/tag',
  unpin: 'POST /v1/unpin',
  untag: 'POST /v1/untag',
  verify: 'POST /v1/verify',
} as const satisfies Partial<Record<keyof Methods, string>>

export type Name = keyof typeof routes
export type Input<N extends Name> = NonNullable<Parameters<Methods[N]>[0]>
/** Of recall, with the reasons for its answer. */
export type Output<N extends Name> = N extends 'recall'
  ? VariantOutput<'recall', 'explain'>
  : Awaited<ReturnType<Methods[N]>>

/** What signing in answers. */
export interface Opened {
  readonly csrf_token: string
  readonly brain: string
}

/** What the daemon refused, in its words. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The daemon did not answer at all. */
export class Unreachable extends Error {}

/** Whether the daemon answers, as far as is known. */
export const lost = signal(false)
/** Whether this page is signed in; null until the first answer shows it. */
export const signedIn = signal<boolean | null>(null)
/** Goes up whenever what is shown may be out of date: after a write, and when the daemon is back. */
export const revision = signal(0)

export const refresh = (): void => {
  revision.value += 1
}

const csrfName = 'brain.csrf-token'
const brainName = 'brain.name'

/** What no other origin can read, and every request has to carry in addition to the cookie. */
const csrfToken = (): string => localStorage.getItem(csrfName) ?? ''

const readName = (): string => localStorage.getItem(brainName) ?? ''
/** Of the brain that this page is signed in to. */
export const brain = signal(readName())

/** Keeps what signing in answered, for every tab. */
export function keepSession({ brain: name, csrf_token }: Opened): void {
  localStorage.setItem(brainName, name)
  localStorage.setItem(csrfName, csrf_token)
  brain.value = name
}

export const dropSession = (): void => localStorage.removeItem(csrfName)

// Signed in again in another tab, which holds for this one, too.
addEventListener('storage', ({ key, newValue }) => {
  if (key !== csrfName || newValue === null) return
  brain.value = readName()
  signedIn.value = true
  refresh()
})

/** One request. @throws Refusal, Unreachable, or what `signal` was aborted with. */
export async function request<T>(
  method: string,
  path: string,
  { body, signal: aborted }: { body?: unknown; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: {
        'x-brain-page': csrfToken(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(aborted && { signal: aborted }),
    })
  } catch (error) {
    if (aborted?.aborted) throw error
    lost.value = true
    throw new Unreachable('The daemon does not answer.')
  }
  lost.value = false
  const answer: unknown = await response.json()
  if (response.ok) return answer as T // The operation's output, by the definition that made it.
  const told = (answer as { error?: unknown }).error
  throw new Refusal(response.status, typeof told === 'string' ? told : `status ${response.status}`)
}

/** Calls an operation. @throws as `request`; without a session the page turns to the sign-in. */
export async function call<N extends Name>(
  name: N,
  input: Input<N>,
  aborted?: AbortSignal,
): Promise<Output<N>> {
  const asking = csrfToken()
  const [method = '', pattern = ''] = routes[name].split(' ')
  const members = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null))
  const path = pattern.replace(/:(\w+)/g, (_, member: string) => {
    const value = members.get(member)
    members.delete(member)
    return encodeURIComponent(String(value))
  })
  const given = [...members].map(([member, value]): [string, string] => [member, String(value)])
  const query = method === 'GET' && given.length > 0 ? `?${new URLSearchParams(given)}` : ''
  try {
    const output = await request<Output<N>>(method, path + query, {
      ...(method === 'POST' && { body: Object.fromEntries(members) }),
      signal: aborted,
    })
    signedIn.value = true
    return output
  } catch (error) {
    // Unless it signed in again since it asked.
    if (error instanceof Refusal && error.status === 401 && asking === csrfToken()) signedIn.value = false
    throw error
  }
}
