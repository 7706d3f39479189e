/** What every view knows of the project: its name, its counts, its agents, the boundaries of its tests. */
import { computed, effect, signal } from '@preact/signals'
import { call, type Output, revision, signedIn } from './api.ts'
import { chosen } from './route.ts'

type Overview = Output<'overview'>

export const overview = signal<Overview | undefined>(undefined)

/** Who wrote into the project, and how much; requested separately, since every record has to be read for it. */
export const agents = signal<NonNullable<Overview['agents']>>([])

/** Whose records a list can be limited to; one that is chosen is there before the others are known. */
export const agentChoices = computed(() => {
  const names = new Set([...agents.value.map(({ name }) => name), chosen('agent')].filter(Boolean))
  return [{ value: '', label: 'every agent' }, ...[...names].map((name) => ({ value: name, label: name }))]
})

/** Milliseconds in which the daemon answers what a view shows first, before it counts who wrote what. */
const later = 400

const signedOut = computed(() => signedIn.value === false)
let asked: AbortController | undefined

/** Keeps both as they are, from now on. */
export const watchProject = (): void => {
  effect(() => {
    // Read so that the request is repeated whenever it changes.
    void revision.value
    if (signedOut.value) return
    asked?.abort()
    asked = new AbortController()
    const { signal } = asked
    call('overview', { brief: true }, signal)
      .then(async (told) => {
        overview.value = told
        await new Promise((resolve) => setTimeout(resolve, later))
        agents.value = (await call('overview', {}, signal)).agents ?? []
      })
      .catch(() => {})
  })
}
