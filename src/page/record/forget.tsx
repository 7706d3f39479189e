/** Forgetting a record: shown as it is now and asked first, since nothing brings it back. */
import { call } from '../api.ts'
import { dropDrafts } from '../drafts.ts'
import type { Kind } from '../parts/basics.tsx'
import { Quote } from '../parts/facts.tsx'
import { ask, tellRefused, write } from '../parts/notices.tsx'
import { choose } from '../route.ts'
import type { Shown } from './panel.tsx'

interface Forgotten {
  readonly kind: Kind
  readonly id: number
}

function textOf(record: Shown): string {
  switch (record.kind) {
    case 'prediction':
      return record.prediction
    case 'dream':
      return record.thought
    case 'observation':
      return record.observation
    default:
      return record.text
  }
}

/** Shows what would be forgotten and asks; again where somebody has changed it since `seen`, which was asked about before. */
export async function askToForget(asked: Forgotten, seen?: string): Promise<void> {
  const from = location.hash
  try {
    const { record } = await call('show', asked)
    const { kind, id } = record
    // Which stands in the trail of its belief, and goes with that.
    if (kind === 'evidence') return
    const text = textOf(record)
    if (text === seen) {
      // What is written between this look and the next moment is refused, too.
      const forget = () => call('forget', { kind, memory_id: id, if_text: text })
      if (await write(forget, `Forgot ${kind} ${id}.`)) {
        dropDrafts(` ${kind} ${id}`)
        choose({ open: undefined })
      }
      return
    }
    // Asked of a view that was left in the meantime.
    if (location.hash !== from) return
    ask({
      title: `Forget ${kind} ${id}?`,
      content: (
        <>
          {seen !== undefined && <p role="alert">It was changed just now. This is what it says:</p>}
          <Quote>{text}</Quote>
          <p>
            It is deleted with its history and all that was made of it, leaving no byte behind.{' '}
            <b>This cannot be undone.</b>
          </p>
        </>
      ),
      action: 'Forget',
      work: () => askToForget(asked, text),
    })
  } catch (error) {
    tellRefused(error)
  }
}

export const ForgetButton = (record: Forgotten) => (
  <button type="button" class="danger" onClick={() => void askToForget(record)}>
    Forget…
  </button>
)
