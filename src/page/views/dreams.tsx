/** Dreams: the inbox of thoughts nobody has read or judged, each with the memories it came from. */
import { useState } from 'preact/hooks'
import { call, type Input } from '../api.ts'
import { Badge, Empty, Loading, RecordLink, Time, Trouble } from '../parts/basics.tsx'
import { Pages, Tabs } from '../parts/pieces.tsx'
import { percent } from '../parts/words.ts'
import { type Dream, markRead, Sources, Verdicts } from '../record/dream.tsx'
import { useResource } from '../resource.ts'
import { addressOf, chosen } from '../route.ts'

const pageSize = 20

const standings = ['unread', 'kept', 'dismissed'] as const

/** A page of dreams, each in full. */
async function readPage(
  asked: Input<'list'>,
  signal: AbortSignal,
): Promise<{ page: number; pages: number; dreams: Dream[] }> {
  const { total, records, page } = await call('list', { ...asked, kinds: 'dream', limit: pageSize }, signal)
  const pages = Math.ceil(total / pageSize)
  // What stood on the last page may have been judged since.
  if (page > pages && pages > 0) return readPage({ ...asked, page: pages }, signal)
  const whole = await Promise.all(records.map(({ id }) => call('show', { kind: 'dream', id }, signal)))
  return { page, pages, dreams: whole.flatMap(({ record }) => (record.kind === 'dream' ? [record] : [])) }
}

function DreamCard({ dream, onHide }: { dream: Dream; onHide: (hidden: boolean) => void }) {
  const { id, thought, dream_kind, novelty, created_at, read_at, source_memory_ids } = dream
  return (
    <article class="dream" aria-labelledby={`dream-${id}`}>
      <div>
        <p class="meta">
          <Badge kind="dream-kind">{dream_kind}</Badge>
          <Time at={created_at} />
          <span>{percent(novelty)} new</span>
          {read_at !== null && <span>read</span>}
          <RecordLink kind="dream" id={id} />
        </p>
        <p class="thought" id={`dream-${id}`} dir="auto">
          {thought}
        </p>
        <div class="actions">
          <Verdicts dream={dream} />
          {read_at === null && (
            <button
              type="button"
              class="quiet"
              onClick={() =>
                markRead(
                  id,
                  () => onHide(true),
                  () => onHide(false),
                )
              }
            >
              Mark as read
            </button>
          )}
        </div>
      </div>
      <div>
        <h2 class="side-title">Came from</h2>
        <Sources ids={source_memory_ids} />
      </div>
    </article>
  )
}

export function Dreams() {
  const [hidden, setHidden] = useState<readonly number[]>([])
  const page = Number(chosen('page') || 1)
  const which = chosen('which')
  const dreams = which === '' ? 'unread' : standings.find((one) => one === which)
  const { value, error } = useResource(`dreams ${dreams} ${page}`, (signal) =>
    readPage({ page, ...(dreams && { dreams }) }, signal),
  )
  const shown = value?.dreams.filter(({ id }) => !hidden.includes(id))
  return (
    <>
      <p class="lead">
        Thoughts made overnight from what is kept. Keep what helped: more of its kind will come.
      </p>
      <Tabs
        name="which"
        label="Which dreams"
        choices={[
          { value: '', label: 'Inbox' },
          { value: 'kept', label: 'Kept' },
          { value: 'dismissed', label: 'Dismissed' },
          { value: 'all', label: 'All' },
        ]}
      />
      <Trouble error={error} />
      {shown === undefined ? (
        error === undefined && <Loading />
      ) : shown.length === 0 ? (
        <Empty title={which === '' ? 'The inbox is empty' : 'None of these'}>
          {which === '' && (
            <p>
              The next night brings more; <code>brain dream</code> dreams now. What agents were given counts
              as read: <a href={addressOf({ which: 'all' })}>see all dreams</a>.
            </p>
          )}
        </Empty>
      ) : (
        shown.map((dream) => (
          <DreamCard
            key={dream.id}
            dream={dream}
            onHide={(hide) =>
              setHidden((now) => (hide ? [...now, dream.id] : now.filter((id) => id !== dream.id)))
            }
          />
        ))
      )}
      {value !== undefined && <Pages page={value.page} of={value.pages} />}
    </>
  )
}
