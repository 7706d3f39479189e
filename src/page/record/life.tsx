/** What a memory has besides its text: tags, a pin, an end; and its earlier texts. */
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { Agent, Time } from '../parts/basics.tsx'
import { Fact } from '../parts/facts.tsx'
import { write } from '../parts/notices.tsx'
import { percent } from '../parts/words.ts'
import { addressOf } from '../route.ts'
import type { Of } from './panel.tsx'

type Note = Of<'memory' | 'flag'>

const tag = (id: number, name: string) => call('tag', { memory_id: id, tags: [name] })
const untag = (id: number, name: string) => call('untag', { memory_id: id, tags: [name] })

function Tags({ record: { kind, id, tags } }: { record: Note }) {
  const { typed = '', type, drop } = useDraft(`tag of ${kind} ${id}`)
  const add = async (event: Event): Promise<void> => {
    event.preventDefault()
    const name = typed.trim()
    if (name === '') return
    if (
      await write(
        () => tag(id, name),
        `Tagged ${name}.`,
        () => untag(id, name),
      )
    )
      drop()
  }
  return (
    <Fact name="Tags">
      <span class="tags">
        {tags.map((name) => (
          <span key={name} class="tag">
            <a href={addressOf({ tag: name }, 'timeline')}>
              <bdi>{name}</bdi>
            </a>
            <button
              type="button"
              class="small"
              aria-label={`Take the tag ${name} off`}
              onClick={() =>
                void write(
                  () => untag(id, name),
                  `Took ${name} off.`,
                  () => tag(id, name),
                )
              }
            >
              ×
            </button>
          </span>
        ))}
        <form class="add-tag" onSubmit={(event) => void add(event)}>
          <input
            type="text"
            aria-label="Add a tag"
            placeholder="add a tag"
            value={typed}
            onInput={(event) => type(event.currentTarget.value)}
          />
        </form>
      </span>
    </Fact>
  )
}

/** Pins it, so that every session is given it first, or unpins it. */
export function PinButton({ record: { id, pinned_at } }: { record: Note }) {
  const pin = () => call('pin', { memory_id: id })
  const unpin = () => call('unpin', { memory_id: id })
  const pinned = pinned_at !== null
  return (
    <button
      type="button"
      aria-pressed={pinned}
      onClick={() =>
        void (pinned
          ? write(unpin, `Memory ${id} is pinned no more.`, pin)
          : write(pin, `Memory ${id} comes first in every session now.`, unpin))
      }
    >
      {pinned ? 'Pinned' : 'Pin'}
    </button>
  )
}

const ends = [
  { value: '', label: 'Expire…' },
  { value: '1d', label: 'in a day', said: 'ends in a day' },
  { value: '1w', label: 'in a week', said: 'ends in a week' },
  { value: '4w', label: 'in four weeks', said: 'ends in four weeks' },
  { value: 'date', label: 'on a date…' },
  { value: 'never', label: 'never', said: 'has no end' },
]

/** From when on it is shown to nobody. */
export function End({ record: { id, expires_at } }: { record: Note }) {
  const [dated, setDated] = useState(false)
  const expire = async (when: string, said: string): Promise<void> => {
    const end = (moment: string) => call('expire', { memory_id: id, when: moment })
    const kept = when === 'never' ? '.' : '; it is hidden then, and kept.'
    const back = () => end(expires_at ?? 'never')
    if (await write(() => end(when), `Memory ${id} ${said}${kept}`, back)) setDated(false)
  }
  return (
    <>
      <label>
        <span class="unseen">When memory {id} ends</span>
        <select
          value=""
          onChange={(event) => {
            const one = ends.find(({ value }) => value === event.currentTarget.value)
            event.currentTarget.value = ''
            setDated(one?.value === 'date')
            if (one?.said !== undefined) void expire(one.value, one.said)
          }}
        >
          {ends.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {dated && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const day = String(new FormData(event.currentTarget).get('day'))
            void expire(day, `ends with ${day}`)
          }}
        >
          <input type="date" name="day" required aria-label={`Last day of memory ${id}`} />{' '}
          <button type="submit">Set</button>
        </form>
      )}
    </>
  )
}

export function Life({ record }: { record: Note }) {
  const { edited_at, expires_at } = record
  return (
    <>
      {edited_at !== null && (
        <Fact name="Edited">
          <Time at={edited_at} />
        </Fact>
      )}
      {expires_at !== null && (
        <Fact name="Ends">
          <Time at={expires_at} />
        </Fact>
      )}
      <Tags record={record} />
    </>
  )
}

export function Versions({ record: { versions } }: { record: Note }) {
  if (versions.length === 0) return null
  return (
    <details class="versions">
      <summary>What it said before ({versions.length})</summary>
      <ol class="sources">
        {versions.toReversed().map(({ text, caution, agent, created_at, replaced_at }) => (
          <li key={replaced_at} class="source">
            <p class="meta">
              <Agent name={agent} /> <Time at={created_at} />{' '}
              {caution > 0 && <span>caution {percent(caution)}</span>}
            </p>
            <p class="record-text">{text}</p>
          </li>
        ))}
      </ol>
    </details>
  )
}
