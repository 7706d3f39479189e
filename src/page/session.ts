/** Signing in with the code of `brain open`, and coming back when the daemon was away. */

import { reasonOf } from '../core/errors.ts'
import { dropSession, keepSession, lost, type Opened, refresh, request, signedIn } from './api.ts'
import { dropDrafts } from './drafts.ts'
import { replaceRoute } from './route.ts'

/** Why a code was refused; empty when none was. */
export let refusal = ''

/** Spends the code in the address, if there is one; it is removed from the address and the history immediately. */
export async function signIn(): Promise<void> {
  const [, code] = /^#code=(.+)$/.exec(location.hash) ?? []
  if (code === undefined) return
  replaceRoute('#/search')
  try {
    keepSession(await request<Opened>('POST', '/session', { body: { code } }))
    refusal = ''
    signedIn.value = true
    refresh()
  } catch (error) {
    refusal = reasonOf(error)
    signedIn.value = false
  }
}

/** Ends the session here and in the daemon. */
export async function signOut(): Promise<void> {
  await request('POST', '/session/end', { body: {} })
  dropSession()
  dropDrafts()
  signedIn.value = false
}

const shortest = 1_000
const longest = 8_000
let pause = shortest
let waiting: ReturnType<typeof setTimeout> | undefined

const retryAfter = (milliseconds: number): void => {
  clearTimeout(waiting)
  waiting = setTimeout(retry, milliseconds)
}

/** Asks whether the daemon is back; what is shown is read again once it is. */
export async function retry(): Promise<void> {
  clearTimeout(waiting)
  waiting = undefined
  try {
    await request('GET', '/health')
    pause = shortest
    refresh()
  } catch {
    pause = Math.min(longest, pause * 1.6)
    retryAfter(pause)
  }
}

/** Keeps asking for as long as the daemon is away. */
export const watch = (): void => {
  lost.subscribe((away) => {
    if (away) retryAfter(pause)
    // Something else was answered first: what failed before it is still to be read again.
    else if (waiting !== undefined) retryAfter(shortest)
  })
  // One that goes away while nobody asks is noticed, too.
  setInterval(() => {
    if (!lost.value && document.visibilityState === 'visible') request('GET', '/health').catch(() => {})
  }, 5_000)
}
