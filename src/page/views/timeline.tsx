/** Timeline: every record, newest first, by day, whoever wrote it. */

import { useEffect, useState } from 'preact/hooks'
import { counted } from '../../core/counts.ts'
import { call, type Output } from '../api.ts'
import { Agent, Badge, Empty, idOf, type Kind, NothingKept, RecordLink, Trouble } from '../parts/basics.tsx'
import { CopyCommand } from '../parts/notices.tsx'
import { Select } from '../parts/pieces.tsx'
import { StaleMark } from '../parts/stale.tsx'
import { Virtual } from '../parts/virtual.tsx'
import { dayOf, hourOf, longDayOf } from '../parts/words.ts'
import { agentChoices } from '../project.ts'
import { addressOf, choose, chosen } from '../route.ts'

type Row = Output<'list'>['records'][number]

const kinds: readonly (readonly [Kind, string])[] = [
  ['memory', 'memories'],
  ['flag', 'flags'],
  ['belief', 'beliefs'],
  ['prediction', 'predictions'],
  ['dream', 'dreams'],
  ['observation', 'observations'],
]

const times = [
  { value: '', label: 'any time' },
  { value: 'today', label: 'today' },
  { value: 'yesterday', label: 'yesterday' },
  { value: '1w', label: 'last week' },
  { value: '4w', label: 'last four weeks' },
]

const lives = [
  { value: '', label: 'all that holds' },
  { value: 'pinned', label: 'pinned' },
  { value: 'expired', label: 'expired' },
  { value: 'stale', label: 'stale' },
]

const pageSize = 100
const narrow = matchMedia('(max-width: 720px)')

function useNarrow(): boolean {
  const [is, setIs] = useState(narrow.matches)
  useEffect(() => {
    const look = (): void => setIs(narrow.matches)
    narrow.addEventListener('change', look)
    return () => narrow.removeEventListener('change', look)
  }, [])
  return is
}

/** The kinds in the address; none means all. */
const chosenKinds = (): readonly string[] => chosen('kinds').split(',').filter(Boolean)

function Kinds() {
  const now = chosenKinds()
  return (
    <fieldset class="chips">
      <legend class="unseen">Kinds</legend>
      {kinds.map(([kind, label]) => {
        const on = now.includes(kind)
        const next = on ? now.filter((one) => one !== kind) : [...now, kind]
        return (
          <button
            key={kind}
            type="button"
            class={`chip chip-${kind}`}
            aria-pressed={on}
            onClick={() => choose({ kinds: next.join(','), open: undefined })}
          >
            {label}
          </button>
        )
      })}
    </fieldset>
  )
}

function Line({ row, before }: { row: Row; before: Row | undefined }) {
  const { kind, id, text, agent, created_at, status } = row
  const day = dayOf(created_at)
  const begins = before === undefined || dayOf(before.created_at) !== day
  return (
    <RecordLink
      kind={kind}
      id={id}
      class={`line${begins ? ' line-begins' : ''}${chosen('open') === idOf(kind, id) ? ' line-open' : ''}`}
    >
      <span class="line-day">{begins ? day : <span class="unseen">{day}</span>}</span>
      <time class="line-time" dateTime={created_at}>
        {hourOf(created_at)}
      </time>
      <Badge kind={kind} />
      <span class="line-text" dir="auto">
        <StaleMark of={row.stale} /> {row.pinned_at !== null && <b class="pinned">pinned </b>}
        {text.slice(0, 400).toWellFormed()}
        {row.tags.map((name) => (
          <span key={name} class="pair">
            {name}
          </span>
        ))}
      </span>
      <span class="line-agent">{agent !== null && <Agent name={agent} />}</span>
      <span class={`line-status status-${status?.split(' ')[0]}`}>{status}</span>
    </RecordLink>
  )
}

export function Timeline() {
  const [sight, setSight] = useState<{ day: string; total: number | undefined }>()
  const [trouble, setTrouble] = useState<Error>()
  const small = useNarrow()
  const [wanted, agent, since] = [chosenKinds().join(' '), chosen('agent'), chosen('since')]
  const [tag, which, branch] = [chosen('tag'), chosen('which'), chosen('branch')]
  // Yesterday is a day, the rest are times until now.
  const query = {
    ...(wanted !== '' && { kinds: wanted }),
    ...(agent !== '' && { agent }),
    ...(since !== '' && { since }),
    ...(since === 'yesterday' && { until: since }),
    ...(tag !== '' && { tags: [tag] }),
    ...(branch !== '' && { branch }),
    ...(which === 'pinned' && { pinned: true }),
    ...(which === 'expired' && { expired: true }),
    ...(which === 'stale' && { stale: true }),
  }
  const options = Object.entries(query).flatMap(([name, value]) => {
    if (name === 'kinds') return []
    if (name === 'tags') return ['--tag', tag]
    return value === true ? [`--${name}`] : [`--${name}`, String(value)]
  })
  return (
    <>
      <div class="filters">
        <Kinds />
        <Select name="agent" label="By" choices={agentChoices.value} />
        <Select name="since" label="From" choices={times} />
        <Select name="which" label="Of these" choices={lives} />
        {tag !== '' && (
          <a class="button" href={addressOf({ tag: undefined })}>
            tagged {tag} ×
          </a>
        )}
        {branch !== '' && (
          <a class="button" href={addressOf({ branch: undefined })}>
            on {branch} ×
          </a>
        )}
      </div>
      <div class="told">
        <span role="status">
          {sight?.total !== undefined ? counted(sight.total, 'record') : trouble === undefined && 'Loading'}
        </span>
        {sight !== undefined && sight.day !== '' && <b>{sight.day}</b>}
        <CopyCommand of={['list', ...chosenKinds(), ...options]} />
      </div>
      <Trouble error={trouble} />
      <Virtual<Row>
        name={JSON.stringify(query)}
        label="Records, newest first"
        rowHeight={small ? 68 : 40}
        pageSize={pageSize}
        load={async (page, signal) => {
          const { total, records } = await call('list', { ...query, limit: pageSize, page: page + 1 }, signal)
          return { total, rows: records }
        }}
        keyOf={({ kind, id }) => idOf(kind, id)}
        row={(row, before) => <Line row={row} before={before} />}
        onSight={(first, total) => {
          const day = first === undefined ? '' : longDayOf(first.created_at)
          setSight((now) => (now?.day === day && now.total === total ? now : { day, total }))
        }}
        onTrouble={setTrouble}
        empty={
          Object.keys(query).length === 0 ? (
            <NothingKept />
          ) : (
            <Empty title="No record fits">
              <p>
                <a href={addressOf({ kinds: '', agent: '', since: '', tag: '', which: '', branch: '' })}>
                  Show everything
                </a>
              </p>
            </Empty>
          )
        }
      />
    </>
  )
}
