/** A prediction, its outcome, and the form that records it. */
import { useState } from 'preact/hooks'
import { call, type Input } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { Agent, Badge, Meter, Time } from '../parts/basics.tsx'
import { Fact, Facts, Text } from '../parts/facts.tsx'
import { ask, write } from '../parts/notices.tsx'
import { percent } from '../parts/words.ts'
import { ForgetButton } from './forget.tsx'
import type { Of } from './panel.tsx'
import { Provenance } from './provenance.tsx'

type Outcome = Input<'resolve'>['outcome']
const outcomes: readonly Outcome[] = ['correct', 'incorrect', 'partial', 'annulled']

function ResolveForm({ id }: { id: number }) {
  const [outcome, setOutcome] = useState<Outcome>()
  const { typed: actual = '', type, drop } = useDraft(`outcome of prediction ${id}`)
  const [missing, setMissing] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    if (outcome === undefined || actual.trim() === '') {
      setMissing(outcome === undefined ? 'Choose how it turned out.' : 'Say what happened.')
      return
    }
    setMissing('')
    void write(
      () => call('resolve', { prediction_id: id, outcome, actual }).then(drop),
      `Resolved prediction ${id} as ${outcome}.`,
      () => call('reopen', { id, note: 'undone on the page' }),
    )
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      <h3>Resolve it</h3>
      <fieldset class="choices">
        <legend>How did it turn out?</legend>
        {outcomes.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={`outcome-${id}`}
              checked={outcome === one}
              onChange={() => setOutcome(one)}
            />{' '}
            {one}
          </label>
        ))}
      </fieldset>
      <label>
        What happened
        <input type="text" required value={actual} onInput={(event) => type(event.currentTarget.value)} />
      </label>
      {missing !== '' && (
        <p class="trouble" role="alert">
          {missing}
        </p>
      )}
      <button type="submit">Resolve</button>
    </form>
  )
}

function ForecastForm({ id, confidence }: { id: number; confidence: number }) {
  const [share, setShare] = useState(Math.round(confidence * 100))
  const { typed: note = '', type, drop } = useDraft(`forecast of prediction ${id}`)
  const submit = (event: Event): void => {
    event.preventDefault()
    ask({
      title: `Revise the forecast to ${share} %?`,
      content: (
        <p>
          It was {percent(confidence)}. Every forecast <b>stays in the history</b> of prediction {id}.
        </p>
      ),
      action: 'Revise',
      work: () =>
        write(
          () =>
            call('forecast', {
              prediction_id: id,
              confidence: share / 100,
              ...(note.trim() !== '' && { note }),
            }).then(drop),
          `Prediction ${id} stands at ${share} % now.`,
        ),
    })
  }
  return (
    <form class="form" onSubmit={submit}>
      <h3>Revise the forecast</h3>
      <label>
        Confidence <output>{share} %</output>
        <input
          type="range"
          min="0"
          max="100"
          value={share}
          onInput={(event) => setShare(Number(event.currentTarget.value))}
        />
      </label>
      <label>
        What changed
        <input type="text" value={note} onInput={(event) => type(event.currentTarget.value)} />
      </label>
      <button type="submit">Revise…</button>
    </form>
  )
}

/** Opens a resolved prediction again; what it was resolved as comes back with Undo. */
function reopen({ id, outcome, actual, surprise }: Of<'prediction'>): void {
  if (outcome === null || actual === null) return
  void write(
    () => call('reopen', { id }),
    `Prediction ${id} is open again.`,
    () => call('resolve', { prediction_id: id, outcome, actual, ...(surprise !== null && { surprise }) }),
  )
}

export function PredictionFacts({ record }: { record: Of<'prediction'> }) {
  const { id, prediction, domain, confidence, basis, outcome, actual, surprise, created_at, resolved_at } =
    record
  return (
    <>
      <Text>{prediction}</Text>
      <Facts>
        <Fact name="Domain">
          <bdi>{domain}</bdi>
        </Fact>
        <Fact name="Confidence">
          <Meter share={confidence} label={`Confidence ${percent(confidence)}`} /> {percent(confidence)}
        </Fact>
        {basis !== null && <Fact name="Because">{basis}</Fact>}
        <Fact name="Predicted">
          <Time at={created_at} />
        </Fact>
        {outcome !== null && (
          <Fact name="Outcome">
            <Badge kind={outcome} /> {actual}
          </Fact>
        )}
        {surprise !== null && (
          <Fact name="Surprise">
            <Meter share={surprise} label={`Surprise ${percent(surprise)}`} tone="warn" /> {percent(surprise)}
          </Fact>
        )}
        {record.due_at !== null && outcome === null && (
          <Fact name="Due">
            <Time at={record.due_at} />{' '}
            {new Date(record.due_at).getTime() < Date.now() && <Badge kind="overdue" />}
          </Fact>
        )}
        {record.check !== null && (
          <Fact name="Settled by">
            <code>{record.check}</code>
          </Fact>
        )}
        {record.agent !== null && record.provenance?.agent == null && (
          <Fact name="By">
            <Agent name={record.agent} />
          </Fact>
        )}
        <Provenance of={record.provenance} />
        {resolved_at !== null && (
          <Fact name="Resolved">
            <Time at={resolved_at} />
          </Fact>
        )}
      </Facts>
      {record.forecasts.length > 1 && (
        <>
          <h3>Forecasts</h3>
          <ol class="trail">
            {record.forecasts.toReversed().map((one) => (
              <li key={one.created_at}>
                <span class="sign">{percent(one.confidence)}</span>
                <span>
                  <Time at={one.created_at} />
                  {one.note !== null && <span class="note">{one.note}</span>}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      {record.reopenings.map((one) => (
        <p key={one.reopened_at} class="muted">
          Was {one.outcome} ({one.actual}) and reopened <Time at={one.reopened_at} />
          {one.note !== null && `: ${one.note}`}
        </p>
      ))}
      {outcome === null ? (
        <>
          <ResolveForm id={id} />
          <ForecastForm key={confidence} id={id} confidence={confidence} />
        </>
      ) : null}
      <div class="actions">
        {outcome !== null && (
          <button type="button" onClick={() => reopen(record)}>
            Open it again
          </button>
        )}
        <ForgetButton kind="prediction" id={id} />
      </div>
    </>
  )
}
