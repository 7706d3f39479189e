/** The state of the page in its address: the view, and what is chosen in it. */
import { computed, signal } from '@preact/signals'
import { viewNames } from './view-names.ts'

export type View = (typeof viewNames)[number]

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

const isView = (name: string | undefined): name is View => viewNames.some((view) => view === name)

const parsed = computed(() => {
  const [, name, query] = /^#\/([^?]*)(?:\?(.*))?$/.exec(hash.value) ?? []
  return { view: isView(name) ? name : 'search', parameters: new URLSearchParams(query ?? '') }
})

export const view = computed((): View => parsed.value.view)

/** What is chosen under a name; empty when nothing is. */
export const chosen = (name: string): string => parsed.value.parameters.get(name) ?? ''

type Choice = Readonly<Record<string, string | number | undefined>>

/** The address of this view, or of another, with other choices; empty ones are left out. */
export function addressOf(choice: Choice, other: View = view.value): string {
  const parameters = new URLSearchParams(other === view.value ? parsed.value.parameters : '')
  for (const [name, value] of Object.entries(choice)) {
    if (value === undefined || value === '') parameters.delete(name)
    else parameters.set(name, String(value))
  }
  const query = parameters.toString()
  return `#/${other}${query === '' ? '' : `?${query}`}`
}

/** Goes to an address without a step in the browser's history: for what is typed. */
export function replaceRoute(address: string): void {
  history.replaceState(null, '', address)
  hash.value = address
}

/** Changes what is chosen here, as a step one can go back from. */
export const choose = (choice: Choice): void => {
  location.hash = addressOf(choice)
}
