/** Forgetting a record: shown and asked first, since nothing brings it back. */
import { call } from '../api.ts'
import type { Kind } from '../parts/basics.tsx'
import { Quote } from '../parts/facts.tsx'
import { ask, write } from '../parts/notices.tsx'
import { choose } from '../route.ts'

interface Forgotten {
  readonly kind: Kind
  readonly id: number
  readonly text: string
}

/** Shows what would be forgotten and asks. */
export function askToForget({ kind, id, text }: Forgotten): void {
  ask({
    title: `Forget ${kind} ${id}?`,
    content: (
      <>
        <Quote>{text}</Quote>
        <p>
          It is deleted with its history and all that was made of it, leaving no byte behind.{' '}
          <b>This cannot be undone.</b>
        </p>
      </>
    ),
    action: 'Forget',
    work: async () => {
      const done = await write(() => call('forget', { kind, memory_id: id }), `Forgot ${kind} ${id}.`)
      if (done) choose({ open: undefined })
    },
  })
}

export const ForgetButton = (record: Forgotten) => (
  <button type="button" class="danger" onClick={() => askToForget(record)}>
    Forget…
  </button>
)
