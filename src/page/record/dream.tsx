/** A dream with the memories it came from, and what its reader makes of it. */
import { call } from '../api.ts'
import { Agent, Badge, RecordLink, Time, Trouble } from '../parts/basics.tsx'
import { Fact, Facts, Text } from '../parts/facts.tsx'
import { tell, write } from '../parts/notices.tsx'
import { percent } from '../parts/words.ts'
import { useResource } from '../resource.ts'
import { ForgetButton } from './forget.tsx'
import type { Of } from './panel.tsx'

export type Dream = Of<'dream'>
type Verdict = 'keep' | 'dismiss' | 'none' | 'read'

/** Says what its reader makes of a dream; the earlier word comes back with Undo. */
function judge({ id, feedback }: Pick<Dream, 'id' | 'feedback'>, verdict: Verdict, said: string): void {
  const before: Verdict = feedback ?? 'none'
  void write(
    () => call('dreamFeedback', { dream_id: id, verdict }),
    said,
    verdict === 'read' ? undefined : () => call('dreamFeedback', { dream_id: id, verdict: before }),
  )
}

const undoTime = 6_000

/** A dream cannot be made unread: it is marked a little later, so that there is a way back. */
export function markRead(id: number, gone: () => void, back: () => void): void {
  gone()
  const later = setTimeout(
    () => judge({ id, feedback: null }, 'read', `Dream ${id} is marked read.`),
    undoTime,
  )
  tell(`Marking dream ${id} as read: agents will not be given it any more.`, async () => {
    clearTimeout(later)
    back()
  })
}

export function Verdicts({ dream }: { dream: Dream }) {
  const { id, feedback } = dream
  const button = (verdict: 'keep' | 'dismiss', name: string, said: string) => (
    <button
      type="button"
      aria-pressed={feedback === verdict}
      onClick={() =>
        feedback === verdict
          ? judge(dream, 'none', `Nothing is said of dream ${id} now.`)
          : judge(dream, verdict, said)
      }
    >
      {name}
    </button>
  )
  return (
    <>
      {button('keep', 'Keep', `Kept dream ${id}: more of its kind.`)}
      {button('dismiss', 'Dismiss', `Dismissed dream ${id}: fewer of its kind.`)}
    </>
  )
}

/** The memories a dream came from, side by side. */
export function Sources({ ids }: { ids: readonly number[] }) {
  const { value, error } = useResource(ids.length === 0 ? undefined : ids.join(), (signal) =>
    Promise.all(ids.map((id) => call('show', { kind: 'memory', id }, signal))),
  )
  if (ids.length === 0) return <p class="muted">The memories it came from are forgotten.</p>
  return (
    <div class="sources">
      <Trouble error={error} />
      {(value ?? []).map(({ record }) =>
        record.kind !== 'memory' && record.kind !== 'flag' ? null : (
          <article key={record.id} class="source">
            <p class="meta">
              <RecordLink kind={record.kind} id={record.id} /> <Agent name={record.agent} />{' '}
              <Time at={record.created_at} />
            </p>
            <Text>{record.text}</Text>
          </article>
        ),
      )}
    </div>
  )
}

export function DreamFacts({ record }: { record: Dream }) {
  const { thought, dream_kind, novelty, created_at, read_at, reasons, source_memory_ids } = record
  return (
    <>
      <Text>{thought}</Text>
      <Facts>
        <Fact name="Kind">
          <Badge kind="dream-kind">{dream_kind}</Badge> {percent(novelty)} new
        </Fact>
        <Fact name="Dreamt">
          <Time at={created_at} />, {read_at === null ? 'unread' : 'read'}
        </Fact>
        {reasons.length > 0 && (
          <Fact name="What spoke for it">
            <ul class="plain">
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
      <h3>Came from</h3>
      <Sources ids={source_memory_ids} />
      <div class="actions">
        <Verdicts dream={record} />
        <ForgetButton kind="dream" id={record.id} />
      </div>
    </>
  )
}
