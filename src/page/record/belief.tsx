/** A belief: how it stands, the picture of its trail, every observation, and a form for another. */

import { useState } from 'preact/hooks'
import { counted } from '../../core/counts.ts'
import { drawTrail, signed } from '../../pictures/trail.ts'
import { call } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { Badge, RecordLink, Time } from '../parts/basics.tsx'
import { Fact, Facts, Text } from '../parts/facts.tsx'
import { ask, write } from '../parts/notices.tsx'
import { Picture, themed } from '../parts/picture.tsx'
import { StaleMark } from '../parts/stale.tsx'
import { dayOf, percent, sentence } from '../parts/words.ts'
import { VerifyButton } from './citations.tsx'
import { ForgetButton } from './forget.tsx'
import type { Of } from './panel.tsx'
import { Provenance, ProvenanceLine } from './provenance.tsx'

type Belief = Of<'belief'>
type Event = Belief['events'][number]

/** What may be concluded from a belief, where that is less than its test says, and its caveats. */
export function Judged({
  of: { verdict, caveats = [], sprt_status },
}: {
  of: Pick<Belief, 'verdict' | 'caveats' | 'sprt_status'>
}) {
  return (
    <>
      <Badge kind={verdict ?? sprt_status} />
      {verdict !== undefined && <span class="muted">the test alone says {sprt_status}</span>}
      {caveats.map((caveat) => (
        <span key={caveat} class="caveat">
          {sentence(caveat)}
        </span>
      ))}
    </>
  )
}

const tellEvent = ({ kind, strength, log_likelihood, note, created_at }: Event): string =>
  `${dayOf(created_at)}: ${kind}, strength ${strength}, ${signed(log_likelihood)}${note === null ? '' : `. ${note}`}`

/** How far a belief is on its way to a boundary, in words. */
export function tellStanding(ratio: number, { promote, demote }: Belief['boundaries']): string {
  if (ratio >= promote) return 'past the boundary to promoted'
  if (ratio <= demote) return 'past the boundary to demoted'
  if (ratio === 0) return 'no evidence either way'
  const [share, word] = ratio > 0 ? [ratio / promote, 'promoted'] : [ratio / demote, 'demoted']
  return `${percent(share)} of the way to ${word}`
}

function EvidenceForm({ record }: { record: Belief }) {
  const [kind, setKind] = useState<'supporting' | 'refuting'>('supporting')
  const [strength, setStrength] = useState(0.5)
  const { typed: note = '', type, drop } = useDraft(`observation of belief ${record.id}`)
  const submit = (event: Event_): void => {
    event.preventDefault()
    ask({
      title: 'Add this observation?',
      content: (
        <p>
          A {kind} observation of strength {strength} goes into the trail of belief {record.id} and{' '}
          <b>stays in it</b>.
        </p>
      ),
      action: 'Add it',
      work: () =>
        write(
          () =>
            call('evidence', { belief_id: record.id, kind, strength, ...(note.trim() !== '' && { note }) }),
          `Added a ${kind} observation to belief ${record.id}.`,
        ).then((done) => done && drop()),
    })
  }
  return (
    <form class="form" onSubmit={submit}>
      <h3>Add an observation</h3>
      <fieldset class="choices">
        <legend class="unseen">What it says</legend>
        {(['supporting', 'refuting'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} /> {one}
          </label>
        ))}
      </fieldset>
      <label>
        Strength <output>{strength}</output>
        <input
          type="range"
          min="0.1"
          max="0.9"
          step="0.1"
          value={strength}
          onInput={(event) => setStrength(Number(event.currentTarget.value))}
        />
      </label>
      <label>
        Note
        <input type="text" value={note} onInput={(event) => type(event.currentTarget.value)} />
      </label>
      <button type="submit">Add…</button>
    </form>
  )
}

type Event_ = globalThis.Event

export function BeliefFacts({ record }: { record: Belief }) {
  const { id, text, confidence, sprt_log_ratio, events, boundaries, superseded_by, revised_from } = record
  const standing = tellStanding(sprt_log_ratio, boundaries)
  return (
    <>
      <Text>{text}</Text>
      <Facts>
        <Fact name="Confidence">
          <b>{percent(confidence)}</b>
        </Fact>
        <Fact name="Verdict">
          <span class="judged">
            <Judged of={record} />
          </span>
        </Fact>
        <Fact name="Test">
          log ratio {signed(sprt_log_ratio)}, {standing}
        </Fact>
        <Fact name="Asserted">
          <Time at={record.created_at} />
        </Fact>
        <Provenance of={record.provenance} />
        {revised_from !== null && (
          <Fact name="In the place of">
            <RecordLink kind="belief" id={revised_from} />
          </Fact>
        )}
        {superseded_by !== null && (
          <Fact name="Superseded by">
            <RecordLink kind="belief" id={superseded_by} />
          </Fact>
        )}
      </Facts>
      {events.length > 0 && (
        <Picture
          shape={drawTrail(events, boundaries, {
            palette: themed,
            title: `Trail of belief ${id}: ${counted(events.length, 'observation')}, log ratio ${signed(sprt_log_ratio)}, ${standing}`,
            tell: (at) => (events[at] === undefined ? '' : tellEvent(events[at])),
          })}
        />
      )}
      {events.length === 0 ? (
        <p class="muted">No evidence yet: its confidence is what it was asserted with.</p>
      ) : (
        <ol class="trail">
          {events.toReversed().map((event) => (
            <li key={event.id}>
              <span class={`sign sign-${event.kind}`}>{signed(event.log_likelihood)}</span>
              <span>
                {event.kind}, strength {event.strength} · <Time at={event.created_at} />
                {event.source !== undefined && ` · source ${event.source}`}
                {event.repeats !== undefined && ` · repeats ${event.repeats}, and weighs nothing`}
                {event.note !== null && <span class="note">{event.note}</span>}
                <ProvenanceLine of={event.provenance} />
                {event.stale !== undefined && (
                  <span class="doubt">
                    <StaleMark of={event.stale} told />
                    <VerifyButton
                      kind="evidence"
                      id={event.id}
                      text={event.note ?? `${event.kind} observation of “${text}”`}
                      places={event.stale}
                    />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
      {superseded_by === null && <EvidenceForm record={record} />}
      <div class="actions">
        <ForgetButton kind="belief" id={id} />
      </div>
    </>
  )
}
