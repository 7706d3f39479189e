/**
 * What was typed and not sent: kept for as long as the page is open, so that a record that is closed, or a view
 * that is left, loses none of it. Knows texts by what they are for; what becomes of them is the forms'.
 */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { tell } from './parts/notices.tsx'

interface Draft {
  readonly typed: string
  /** What the record said when it was begun. */
  readonly before: string
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map())

// Nothing of it outlasts the page: the browser asks.
addEventListener('beforeunload', (event) => {
  if (drafts.value.size > 0) event.preventDefault()
})

const set = (name: string, draft: Draft | undefined): void => {
  const changed = new Map(drafts.value)
  if (draft === undefined) changed.delete(name)
  else changed.set(name, draft)
  drafts.value = changed
}

/** Drops what was typed for a record that is gone, such as `memory 3`, or for any. */
export function dropDrafts(record = ''): void {
  for (const name of drafts.value.keys()) if (name.endsWith(record)) set(name, undefined)
}

/** The draft called `name`, as `edit of memory 3`, and the way to change or drop it; says that it is kept when its form goes. */
export function useDraft(name: string, before = '') {
  const draft = drafts.value.get(name)
  useEffect(
    () => () => {
      if (drafts.value.has(name)) tell(`Your ${name} is not saved: it waits there until you come back to it.`)
    },
    [name],
  )
  return {
    ...draft,
    type: (typed: string): void =>
      set(name, typed === (draft?.before ?? before) ? undefined : { typed, before: draft?.before ?? before }),
    drop: (): void => set(name, undefined),
  }
}

export const hasDraft = (name: string): boolean => drafts.value.has(name)
