/** Duplicates: memories that say the same, each group under its newest, and making them one. */
import { counted } from '../../core/counts.ts'
import { call, type Output } from '../api.ts'
import { Badge, Empty, Loading, RecordLink, Time, Trouble } from '../parts/basics.tsx'
import { Quote } from '../parts/facts.tsx'
import { ask, CopyCommand, write } from '../parts/notices.tsx'
import { RecordRow } from '../parts/pieces.tsx'
import { overview } from '../project.ts'
import { useResource } from '../resource.ts'
import { addressOf, chosen } from '../route.ts'

type Found = Output<'duplicates'>
type Group = Found['groups'][number]

const shownAtMost = 100
/** Up to so many memories are read without being asked for. */
const quick = 5_000

const memories = (n: number): string => counted(n, 'memory', 'memories')

function GroupRow({ group }: { group: Group }) {
  const { kind, newest, older, older_count } = group
  return (
    <RecordRow
      kind={kind}
      id={newest.id}
      text={newest.text}
      below={
        <>
          <ul class="older">
            {older.map(({ id, text, created_at }) => (
              <li key={id}>
                <RecordLink kind={kind} id={id} class="row-text">
                  {text}
                </RecordLink>
                <p class="meta">
                  <span>{id}</span> <Time at={created_at} />
                </p>
              </li>
            ))}
          </ul>
          {older_count > older.length && <p class="muted">and {memories(older_count - older.length)} more</p>}
        </>
      }
      figure={
        <button type="button" onClick={() => askToMergeOne(group)}>
          Merge…<span class="unseen"> into {newest.id}</span>
        </button>
      }
    >
      {kind === 'flag' && <Badge kind={kind} />}
      <span>{newest.id}, the newest</span>
      <Time at={newest.created_at} />
    </RecordRow>
  )
}

const Fate = () => (
  <>
    each becomes an earlier version of the newest of its group, which keeps the tags of all, a pin, and the
    gravest caution.
  </>
)

const Lasting = () => (
  <p>
    <b>This cannot be undone.</b>
  </p>
)

const merged = 'Merged: what was said twice is said once.'

function askToMergeOne({ newest, older_count, expires_at: end }: Group): void {
  ask({
    title: `Merge ${memories(older_count)} into ${newest.id}?`,
    content: (
      <>
        <Quote>{newest.text}</Quote>
        <p>
          Older ones will be no memories of their own any more: <Fate />
        </p>
        {end !== undefined && (
          <p>
            It ends <Time at={end} />.
          </p>
        )}
        <Lasting />
      </>
    ),
    action: 'Merge',
    work: () => write(() => call('duplicates', { merge: true, of: newest.id }), merged),
  })
}

/** What is not on screen is merged as well, which the text says. */
function askToMerge({ groups, more }: Found): void {
  const older = groups.reduce((sum, { older_count }) => sum + older_count, 0)
  ask({
    title: `Merge ${counted(groups.length, 'group')}${more ? ' and those that are not shown' : ''}?`,
    content: (
      <>
        <p>
          {more && 'At least '}
          {memories(older)} will be no memories of their own any more: <Fate />
        </p>
        <Lasting />
      </>
    ),
    action: 'Merge',
    work: () => write(() => call('duplicates', { merge: true }), merged),
  })
}

function Groups() {
  const { value, error, loading } = useResource('duplicates', (signal) =>
    call('duplicates', { limit: shownAtMost }, signal),
  )
  if (value === undefined) return error === undefined ? <Loading /> : <Trouble error={error} />
  if (value.groups.length === 0) return <Empty title="No two memories say the same" />
  return (
    <div aria-busy={loading}>
      <Trouble error={error} />
      <div class="told">
        <span role="status">
          {counted(value.groups.length, 'group')}
          {value.more && ', and there may be more'}
        </span>
        <button type="button" onClick={() => askToMerge(value)}>
          Merge all…
        </button>
        <CopyCommand of={['duplicates']} />
      </div>
      <ul class="rows">
        {value.groups.map((group) => (
          <GroupRow key={group.newest.id} group={group} />
        ))}
      </ul>
    </div>
  )
}

export function Duplicates() {
  const held = overview.value?.counts.memories
  return (
    <>
      <p class="lead">
        Memories that say the same, each group under its newest. Merged, the older ones become versions of it.
      </p>
      {chosen('look') === 'all' || (held !== undefined && held <= quick) ? (
        <Groups />
      ) : held === undefined ? (
        <Loading />
      ) : (
        <Empty title={`${memories(held)} have to be read for it`}>
          <p>
            <a class="button primary" href={addressOf({ look: 'all' })}>
              Find duplicates
            </a>
          </p>
        </Empty>
      )}
    </>
  )
}
