/** Warnings: a plan weighed against the flags, with what matched and why, and the flags themselves. */

import { useEffect, useState } from 'preact/hooks'
import { counted } from '../../core/counts.ts'
import { call, type Output } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { Agent, Badge, Empty, Loading, Meter, RecordLink, Time, Trouble } from '../parts/basics.tsx'
import { CopyCommand, write } from '../parts/notices.tsx'
import { Card, Pages, RecordRow } from '../parts/pieces.tsx'
import { StaleMark } from '../parts/stale.tsx'
import { percent } from '../parts/words.ts'
import { useResource } from '../resource.ts'
import { addressOf, chosen, replaceRoute } from '../route.ts'

type Assessment = Output<'assess'>
type Near = Assessment['nearest'][number]

function Nearest({ flag, topic, decides }: { flag: Near; topic: string; decides: boolean }) {
  const { memory_id: id, text, relevance, caution } = flag
  const say = (verdict: 'match' | 'no_match') => call('assessFeedback', { memory_id: id, topic, verdict })
  return (
    <li class="row">
      <div class="row-main">
        <RecordLink kind="flag" id={id} class="row-text">
          {text}
        </RecordLink>
        <p class="meta">
          {decides && <Badge kind="decides">this one decided</Badge>}
          <span>caution {percent(caution)}</span>
          <button
            type="button"
            class="small"
            onClick={() =>
              void write(
                () => say('no_match'),
                `Flag ${id} will be held less against plans like this one.`,
                () => say('match'),
              )
            }
          >
            This was no match
          </button>
        </p>
      </div>
      <div class="row-figure">
        <b>{percent(relevance)}</b>
        <Meter share={relevance} label={`Applies with ${percent(relevance)}`} tone="bad" />
      </div>
    </li>
  )
}

function Verdict({ assessment }: { assessment: Assessment }) {
  const { verdict, risk, why, nearest, based_on, track_record, topic } = assessment
  return (
    <section class={`verdict verdict-${verdict}`} aria-label="Verdict">
      <div role="status">
        <p class="verdict-word">
          {verdict} <span>risk {risk.toFixed(2)}</span>
        </p>
        <p>{why}</p>
        {based_on !== null && !nearest.some(({ memory_id }) => memory_id === based_on.memory_id) && (
          <p>
            Decided by <RecordLink kind="flag" id={based_on.memory_id} />, which is graver than those nearest.
          </p>
        )}
      </div>
      {track_record !== null && (
        <p class="muted">
          {counted(track_record.adjacent_predictions, 'related prediction')}: {percent(track_record.accuracy)}{' '}
          came true at {percent(track_record.mean_confidence)} claimed.
        </p>
      )}
      {nearest.length > 0 && (
        <>
          <h2>Nearest flags</h2>
          <ul class="rows">
            {nearest.map((flag) => (
              <Nearest
                key={flag.memory_id}
                flag={flag}
                topic={topic}
                decides={based_on?.memory_id === flag.memory_id}
              />
            ))}
          </ul>
        </>
      )}
      <CopyCommand of={['assess', topic]} />
    </section>
  )
}

const flagsOnPage = 25

function Flags() {
  const page = Math.max(1, Math.trunc(Number(chosen('page'))) || 1)
  const { value, error } = useResource(`flags ${page}`, (signal) =>
    call('list', { kinds: 'flag', limit: flagsOnPage, page }, signal),
  )
  if (value === undefined) return error === undefined ? <Loading /> : <Trouble error={error} />
  if (value.total === 0)
    return (
      <Empty title="No flags yet">
        <p>
          A flag is a memory with caution: <code>brain flag "…" --caution 0.9</code>.
        </p>
      </Empty>
    )
  return (
    <>
      <ul class="rows">
        {value.records.map(({ id, text, agent, created_at, stale }) => (
          <RecordRow key={id} kind="flag" id={id} text={text}>
            <StaleMark of={stale} told />
            {agent !== null && <Agent name={agent} />}
            <Time at={created_at} />
          </RecordRow>
        ))}
      </ul>
      <p class="muted">{counted(value.total, 'flag')} in all.</p>
      <Pages page={page} of={Math.ceil(value.total / flagsOnPage)} />
    </>
  )
}

export function Warnings() {
  const plan = chosen('plan')
  const { typed = plan, before = plan, type, drop } = useDraft('plan to assess', plan)
  const [missing, setMissing] = useState(false)
  const { value, error, loading } = useResource(plan === '' ? undefined : plan, (signal) =>
    call('assess', { topic: plan }, signal),
  )
  // An address that names another plan is about that one.
  useEffect(() => {
    if (plan !== '' && plan !== before) drop()
  }, [plan])
  // While an answer is on its way the one before stays; after a refusal it would be taken for that of this plan.
  const shown = value?.topic === plan || (loading && error === undefined) ? value : undefined
  const submit = (event: Event): void => {
    event.preventDefault()
    setMissing(typed.trim() === '')
    replaceRoute(addressOf({ plan: typed.trim() === '' ? undefined : typed, open: undefined }))
    drop()
  }
  return (
    <>
      <form class="form plan" onSubmit={submit}>
        <label for="plan">A plan or step, as an agent would ask about it</label>
        <textarea
          id="plan"
          rows={3}
          value={typed}
          placeholder="drop the users table"
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
          }}
        />
        {missing && (
          <p class="trouble" role="alert">
            Write what is to be done first.
          </p>
        )}
        <button type="submit" class="primary">
          Assess
        </button>
      </form>
      <Trouble error={error} />
      {plan !== '' && shown !== undefined && (
        <div aria-busy={loading}>
          <Verdict assessment={shown} />
        </div>
      )}
      <Card title="Flags">
        <Flags />
      </Card>
    </>
  )
}
