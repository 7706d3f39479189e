/** A memory or a flag, and what can be done to it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { hasDraft, useDraft } from '../drafts.ts'
import { Agent, Meter, RecordLink, Time } from '../parts/basics.tsx'
import { Fact, Facts, Quote, Text } from '../parts/facts.tsx'
import { write } from '../parts/notices.tsx'
import { percent } from '../parts/words.ts'
import { addressOf } from '../route.ts'
import { Citations } from './citations.tsx'
import { ForgetButton } from './forget.tsx'
import { End, Life, PinButton, Versions } from './life.tsx'
import type { Of } from './panel.tsx'
import { Provenance } from './provenance.tsx'

type Note = Of<'memory' | 'flag'>

const draftOf = ({ kind, id }: Note): string => `edit of ${kind} ${id}`

function EditForm({ record, onDone }: { record: Note; onDone: () => void }) {
  const { id, text } = record
  const { typed = text, before = text, type, drop } = useDraft(draftOf(record), text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const end = (): void => {
    drop()
    onDone()
  }
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const said = `Memory ${id} says something else now; what it said stays in its history.`
    // Each replaces what stands on the screen, and nothing that was written since.
    const save = () => call('amend', { memory_id: id, text: typed, if_text: text })
    const back = () => call('amend', { memory_id: id, text, if_text: typed })
    if (await write(save, said, back)) end()
  }
  return (
    <form class="edit" onSubmit={(event) => void submit(event)}>
      <label class="unseen" for="edit">
        Text of memory {id}
      </label>
      <textarea
        id="edit"
        dir="auto"
        ref={field}
        rows={6}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {before !== text && (
        <div role="alert">
          <p class="trouble">
            Edited since by <Agent name={record.agent} />: Save replaces what it says now.
          </p>
          <Quote>{text}</Quote>
        </div>
      )}
      <div class="actions">
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" class="quiet" onClick={end}>
          Cancel
        </button>
      </div>
    </form>
  )
}

export function NoteFacts({ record }: { record: Note }) {
  const [editing, setEditing] = useState(hasDraft(draftOf(record)))
  const { kind, id, text, caution, agent, created_at, cited_by_dreams, no_match_for } = record
  return (
    <>
      {editing ? <EditForm record={record} onDone={() => setEditing(false)} /> : <Text>{text}</Text>}
      <Facts>
        <Fact name="Kept by">
          <Agent name={agent} />, <Time at={created_at} />
        </Fact>
        <Provenance of={record.provenance} />
        <Life record={record} />
        {caution > 0 && (
          <Fact name="Caution">
            <Meter share={caution} label={`Caution ${percent(caution)}`} tone="bad" /> {percent(caution)}
          </Fact>
        )}
        {cited_by_dreams.length > 0 && (
          <Fact name="Dreamt of in">
            {cited_by_dreams.map((dream) => (
              <RecordLink key={dream} kind="dream" id={dream} />
            ))}
          </Fact>
        )}
        {no_match_for.length > 0 && (
          <Fact name="Said to be no match for">
            <ul class="plain">
              {no_match_for.map((topic) => (
                <li key={topic}>
                  {topic}{' '}
                  <button
                    type="button"
                    class="small"
                    onClick={() =>
                      void write(
                        () => call('assessFeedback', { memory_id: id, topic, verdict: 'match' }),
                        'It is held against such plans again.',
                        () => call('assessFeedback', { memory_id: id, topic, verdict: 'no_match' }),
                      )
                    }
                  >
                    Take back
                  </button>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
      <Citations id={id} text={text} places={record.citations} />
      <Versions record={record} />
      <div class="actions">
        {!editing && (
          <button type="button" onClick={() => setEditing(true)}>
            Edit
          </button>
        )}
        <a class="button" href={addressOf({ q: text.slice(0, 300), open: undefined }, 'search')}>
          Find what is like it
        </a>
        <PinButton record={record} />
        <End record={record} />
        <ForgetButton kind={kind} id={id} />
      </div>
    </>
  )
}
