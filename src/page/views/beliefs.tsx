/** Beliefs: what is held true, how far each is from being settled, and which of them moved last. */
import { call, type Output } from '../api.ts'
import { Empty, idOf, Loading, RecordLink, Time, Trouble } from '../parts/basics.tsx'
import { Tabs } from '../parts/pieces.tsx'
import { StaleMark } from '../parts/stale.tsx'
import { counted, percent } from '../parts/words.ts'
import { overview } from '../project.ts'
import { Judged, tellStanding } from '../record/belief.tsx'
import { useResource } from '../resource.ts'
import { chosen } from '../route.ts'

type Belief = Output<'beliefs'>['beliefs'][number]
type Boundaries = Output<'overview'>['boundaries']

const statuses = ['accumulating', 'promoted', 'demoted'] as const
const shownAtMost = 100

/** Where a log ratio stands between the boundaries. */
function Gauge({ ratio, boundaries }: { ratio: number; boundaries: Boundaries }) {
  const { promote, demote } = boundaries
  const at = (value: number): number =>
    Math.max(6, Math.min(194, 6 + (188 * (value - demote)) / (promote - demote)))
  const tone = ratio >= promote ? 'good' : ratio <= demote ? 'bad' : 'accent'
  return (
    <svg
      class={`gauge tone-${tone}`}
      viewBox="0 0 200 20"
      role="img"
      aria-label={tellStanding(ratio, boundaries)}
    >
      <line class="gauge-all" x1="6" x2="194" y1="10" y2="10" />
      <line class="gauge-end" x1="6" x2="6" y1="4" y2="16" />
      <line class="gauge-end" x1="194" x2="194" y1="4" y2="16" />
      <line class="gauge-zero" x1={at(0)} x2={at(0)} y1="5" y2="15" />
      <line class="gauge-part" x1={at(0)} x2={at(ratio)} y1="10" y2="10" />
      <circle cx={at(ratio)} cy="10" r="5" />
    </svg>
  )
}

const movedAt = ({ last_evidence_at, created_at }: Belief): string => last_evidence_at ?? created_at

type Told = Pick<Belief, 'verdict' | 'caveats' | 'sprt_status'>

/** Shown in one answer. */
const together = 50

/** What may be said of the beliefs whose test has decided; of others there is nothing to add. */
async function readVerdicts(beliefs: readonly Belief[], signal: AbortSignal): Promise<Map<number, Told>> {
  const ids = beliefs.flatMap(({ id, sprt_status }) => (sprt_status === 'accumulating' ? [] : [id]))
  const verdicts = new Map<number, Told>()
  for (let at = 0; at < ids.length; at += together) {
    const [id = 0, ...more] = ids.slice(at, at + together)
    const asked = { kind: 'belief' as const, id, ...(more.length > 0 && { more }) }
    const { record, more: others = [] } = await call('show', asked, signal)
    for (const one of [record, ...others]) if (one.kind === 'belief') verdicts.set(one.id, one)
  }
  return verdicts
}

function Row({
  belief,
  judged,
  boundaries,
}: {
  belief: Belief
  judged: Told | undefined
  boundaries: Boundaries | undefined
}) {
  const { id, text, confidence, sprt_log_ratio, evidence_count, last_evidence_at, created_at } = belief
  return (
    <li class={chosen('open') === idOf('belief', id) ? 'row row-open' : 'row'}>
      <div class="row-main">
        <RecordLink kind="belief" id={id} class="row-text">
          {text}
        </RecordLink>
        <p class="meta">
          <StaleMark of={belief.stale} />
          <Judged of={judged ?? belief} />
          <span>{counted(evidence_count, 'observation')}</span>
          <span>
            {last_evidence_at === null ? 'asserted ' : 'moved '}
            <Time at={last_evidence_at ?? created_at} />
          </span>
        </p>
      </div>
      <div class="row-figure">
        <b>{percent(confidence)}</b>
        {boundaries && <Gauge ratio={sprt_log_ratio} boundaries={boundaries} />}
      </div>
    </li>
  )
}

export function Beliefs() {
  const status = statuses.find((one) => one === chosen('status'))
  const { value, error } = useResource(`beliefs ${status}`, async (signal) => {
    const answer = await call('beliefs', { limit: shownAtMost, ...(status && { status }) }, signal)
    return { ...answer, verdicts: await readVerdicts(answer.beliefs, signal) }
  })
  const beliefs = value?.beliefs.toSorted((a, b) => (movedAt(a) < movedAt(b) ? 1 : -1))
  return (
    <>
      <p class="lead">
        What moved last is on top. Each observation moves a belief between two boundaries, until it is
        promoted (right) or demoted (left).
      </p>
      <Tabs
        name="status"
        label="Status"
        choices={[
          { value: '', label: 'All' },
          ...statuses.map((one) => ({ value: one, label: one.charAt(0).toUpperCase() + one.slice(1) })),
        ]}
      />
      <Trouble error={error} />
      {beliefs === undefined ? (
        error === undefined && <Loading />
      ) : beliefs.length === 0 ? (
        <Empty title={status === undefined ? 'No beliefs yet' : `No belief is ${status}`}>
          {status === undefined && (
            <p>
              State one with <code>brain believe "…"</code>, and let evidence move it.
            </p>
          )}
        </Empty>
      ) : (
        <>
          <ul class="rows">
            {beliefs.map((belief) => (
              <Row
                key={belief.id}
                belief={belief}
                judged={value?.verdicts.get(belief.id)}
                boundaries={overview.value?.boundaries}
              />
            ))}
          </ul>
          {beliefs.length === shownAtMost && (
            <p class="muted">The newest {shownAtMost}; the timeline has all.</p>
          )}
        </>
      )}
    </>
  )
}
