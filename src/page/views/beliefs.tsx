/** Beliefs: what is held true, how far each is from being settled, and which of them moved last. */
import { counted } from '../../core/counts.ts'
import { signed } from '../../pictures/trail.ts'
import { call, type Output } from '../api.ts'
import { Empty, Loading, Time, Trouble } from '../parts/basics.tsx'
import { RecordRow, Tabs } from '../parts/pieces.tsx'
import { StaleMark } from '../parts/stale.tsx'
import { percent } from '../parts/words.ts'
import { overview } from '../project.ts'
import { Judged, tellStanding } from '../record/belief.tsx'
import type { Of } from '../record/panel.tsx'
import { useResource } from '../resource.ts'
import { chosen } from '../route.ts'

type Belief = Output<'beliefs'>['beliefs'][number]
type Boundaries = Output<'overview'>['boundaries']

const statuses = ['accumulating', 'promoted', 'demoted'] as const
const shownAtMost = 100

/** Where a log ratio stands between the boundaries, and where it stood before its last observation. */
function Gauge({ ratio, before, boundaries }: { ratio: number; before: number; boundaries: Boundaries }) {
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
      <circle class="gauge-before" cx={at(before)} cy="10" r="4" />
      <circle cx={at(ratio)} cy="10" r="5" />
    </svg>
  )
}

/** Shown in one answer. */
const together = 50

/** Beliefs in full: what may be concluded from each, and what moved it. */
async function readWhole(
  beliefs: readonly Belief[],
  signal: AbortSignal,
): Promise<Map<number, Of<'belief'>>> {
  const ids = beliefs.map(({ id }) => id)
  const whole = new Map<number, Of<'belief'>>()
  for (let at = 0; at < ids.length; at += together) {
    const [id = 0, ...more] = ids.slice(at, at + together)
    const asked = { kind: 'belief' as const, id, ...(more.length > 0 && { more }) }
    const { record, more: others = [] } = await call('show', asked, signal)
    for (const one of [record, ...others]) if (one.kind === 'belief') whole.set(one.id, one)
  }
  return whole
}

function Row({
  belief,
  whole,
  boundaries,
}: {
  belief: Belief
  whole: Of<'belief'> | undefined
  boundaries: Boundaries | undefined
}) {
  const { id, text, confidence, sprt_log_ratio, evidence_count, last_evidence_at, created_at } = belief
  const last = whole?.events.at(-1)
  return (
    <RecordRow
      kind="belief"
      id={id}
      text={text}
      below={
        last !== undefined && (
          <p class="moved">
            <span class={`sign sign-${last.repeats === undefined ? last.kind : 'none'}`}>
              {signed(last.log_likelihood)}
            </span>
            <span dir="auto">{last.note ?? `${last.kind}, strength ${last.strength}`}</span>
            {last.repeats !== undefined && <span>repeats {last.repeats}, and weighs nothing</span>}
          </p>
        )
      }
      figure={
        <>
          <b>{percent(confidence)}</b>
          {boundaries && (
            <Gauge
              ratio={sprt_log_ratio}
              before={sprt_log_ratio - (last?.log_likelihood ?? 0)}
              boundaries={boundaries}
            />
          )}
        </>
      }
    >
      <StaleMark of={belief.stale} />
      <Judged of={whole ?? belief} />
      <span>{counted(evidence_count, 'observation')}</span>
      <span>
        {last_evidence_at === null ? 'asserted ' : 'moved '}
        <Time at={last_evidence_at ?? created_at} />
      </span>
    </RecordRow>
  )
}

export function Beliefs() {
  const verdict = statuses.find((one) => one === chosen('status'))
  const { value, error } = useResource(`beliefs ${verdict}`, async (signal) => {
    const asked = { limit: shownAtMost, order: 'moved' as const, ...(verdict && { verdict }) }
    const answer = await call('beliefs', asked, signal)
    return { ...answer, whole: await readWhole(answer.beliefs, signal) }
  })
  const beliefs = value?.beliefs
  return (
    <>
      <p class="lead">
        What moved last is on top, with what moved it. Each observation moves a belief between two boundaries,
        until it is promoted (right) or demoted (left); the ring is where it stood before.
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
        <Empty title={verdict === undefined ? 'No beliefs yet' : `No belief is ${verdict}`}>
          {verdict === undefined && (
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
                whole={value?.whole.get(belief.id)}
                boundaries={overview.value?.boundaries}
              />
            ))}
          </ul>
          {beliefs.length === shownAtMost && (
            <p class="muted">The {shownAtMost} that moved last; the timeline has all.</p>
          )}
        </>
      )}
    </>
  )
}
