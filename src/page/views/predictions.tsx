/** Predictions: whether what is claimed comes true, where it does not, and what still waits for its outcome. */
import { count } from '../../core/counts.ts'
import { drawReliability, tellBin } from '../../pictures/reliability.ts'
import { call, type Output } from '../api.ts'
import { Agent, Badge, Empty, Loading, Meter, Time, Trouble } from '../parts/basics.tsx'
import { Picture, themed } from '../parts/picture.tsx'
import { Card, Pages, RecordRow, Select, Tabs } from '../parts/pieces.tsx'
import { percent } from '../parts/words.ts'
import { agentChoices } from '../project.ts'
import { useResource } from '../resource.ts'
import { addressOf, chosen } from '../route.ts'

type Calibration = Output<'calibration'>
type Figures = Calibration['overall']
type Listed = Output<'predictions'>['predictions'][number]

const periods = [
  { value: '', label: 'all time' },
  { value: '30', label: 'the last 30 days' },
  { value: '90', label: 'the last 90 days' },
  { value: '365', label: 'the last year' },
]

/** Mean confidence over all that were resolved. */
const claimedIn = ({ bins, n }: Figures): number =>
  bins.reduce((sum, bin) => sum + bin.mean_confidence * bin.n, 0) / Math.max(1, n)

/** A few points are within what chance does. */
const slight = 0.05

/** How much more is claimed than comes true. */
function Gap({ figures }: { figures: Figures }) {
  if (figures.accuracy === null) return <>–</>
  const gap = claimedIn(figures) - figures.accuracy
  const points = Math.round(gap * 100)
  return <b class={Math.abs(gap) < slight ? 'gap' : 'gap gap-wide'}>{points > 0 ? `+${points}` : points}</b>
}

/** Over- or underconfident, in a sentence. */
function tellConfidence(figures: Figures, about: string): string {
  const { n, accuracy } = figures
  if (accuracy === null) return `Nothing is resolved${about}.`
  const claimed = claimedIn(figures)
  const gap = claimed - accuracy
  const points = `${Math.round(Math.abs(gap) * 100)} points`
  const told = `${percent(claimed)} claimed, ${percent(accuracy)} came true`
  if (Math.abs(gap) < slight) return `About right${about}: ${told}.`
  const word = gap > 0 ? 'Overconfident' : 'Underconfident'
  return `${word}${about} by ${points}: ${told}${n < 10 ? `, over ${n} only` : ''}.`
}

const Bins = ({ figures }: { figures: Figures }) => (
  <div class="unseen">
    <table>
      <caption>The diagram in figures</caption>
      <tbody>
        {figures.bins.map((bin) => (
          <tr key={bin.lower}>
            <td>{tellBin(bin)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const groupings = [
  { value: '', label: 'Domains' },
  { value: 'month', label: 'Months' },
  { value: 'agent', label: 'Agents' },
  { value: 'horizon', label: 'How far ahead' },
] as const

/** The record of each domain, or of each group that was asked for, under its name. */
const rowsOf = ({ domains, groups }: Calibration): (Figures & { name: string })[] =>
  groups === undefined
    ? domains.map(({ domain, ...figures }) => ({ name: domain, ...figures }))
    : groups.map(({ group, ...figures }) => ({ name: group, ...figures }))

function Table({ calibration, wanted }: { calibration: Calibration; wanted: string }) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="Track record in figures">
      <table>
        <thead>
          <tr>
            <th scope="col">{groupings.find(({ value }) => value === chosen('by'))?.label}</th>
            <th scope="col">n</th>
            <th scope="col">Claimed</th>
            <th scope="col">True</th>
            <th scope="col" title="Claimed less true, in points: above zero is overconfident">
              Gap
            </th>
            <th scope="col">Brier</th>
          </tr>
        </thead>
        <tbody>
          {[{ name: '', ...calibration.overall }, ...rowsOf(calibration)].map((one) => (
            <tr key={one.name} class={one.name === wanted ? 'row-open' : ''}>
              <th scope="row">
                <a
                  href={addressOf({ of: one.name, open: undefined })}
                  {...(one.name === wanted && { 'aria-current': 'true' as const })}
                >
                  <bdi>{one.name === '' ? 'all' : one.name}</bdi>
                </a>
              </th>
              <td>{count(one.n)}</td>
              <td>{one.n === 0 ? '–' : percent(claimedIn(one))}</td>
              <td>{percent(one.accuracy)}</td>
              <td>
                <Gap figures={one} />
              </td>
              <td>{one.brier === null ? '–' : one.brier.toFixed(3)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Record({ calibration }: { calibration: Calibration }) {
  const { overall } = calibration
  const row = rowsOf(calibration).find(({ name }) => name === chosen('of'))
  const wanted = row?.name ?? ''
  const figures: Figures = row ?? overall
  if (overall.n === 0)
    return (
      <Empty title="No track record yet">
        <p>It grows with every prediction that is resolved.</p>
      </Empty>
    )
  const about = wanted === '' ? '' : chosen('by') === '' ? ` about ${wanted}` : ` (${wanted})`
  return (
    <>
      <p class="verdict-line">{tellConfidence(figures, about)}</p>
      <div class="record">
        <div>
          <Picture
            shape={drawReliability(figures.bins, {
              n: figures.n,
              title: wanted === '' ? 'All predictions' : wanted,
              palette: themed,
              ...(row === undefined && calibration.fit !== undefined && { fit: calibration.fit }),
            })}
          />
          <Bins figures={figures} />
        </div>
        <div>
          <Tabs name="by" label="Figures by" choices={groupings} />
          <Table calibration={calibration} wanted={wanted} />
        </div>
      </div>
    </>
  )
}

function Row({ prediction }: { prediction: Listed }) {
  const { id, domain, confidence, created_at, due_at, overdue, outcome, agent } = prediction
  return (
    <RecordRow
      kind="prediction"
      id={id}
      text={prediction.prediction}
      figure={
        <>
          <b>{percent(confidence)}</b>
          <Meter share={confidence} label={`Confidence ${percent(confidence)}`} />
        </>
      }
    >
      {overdue && <Badge kind="overdue" />}
      {outcome !== null && <Badge kind={outcome} />}
      <bdi>{domain}</bdi>
      {agent !== null && <Agent name={agent} />}
      {due_at !== null && outcome === null && (
        <span>
          {overdue ? 'was due ' : 'due '}
          <Time at={due_at} />
        </span>
      )}
      <span>
        predicted <Time at={created_at} />
      </span>
    </RecordRow>
  )
}

const standings = [
  { value: '', label: 'Open', none: 'Nothing is open' },
  { value: 'overdue', label: 'Overdue', none: 'Nothing is overdue' },
  { value: 'due', label: 'Due in a week', none: 'Nothing is due within a week' },
  { value: 'resolved', label: 'Resolved', none: 'Nothing is resolved yet' },
  { value: 'annulled', label: 'Annulled', none: 'Nothing was annulled' },
] as const

const pageSize = 50

function List() {
  const standing = standings.find(({ value }) => value === chosen('show')) ?? standings[0]
  const page = Number(chosen('page') || 1)
  const agent = chosen('agent')
  const { value, error } = useResource(`predictions ${standing.value} ${page} ${agent}`, (signal) =>
    call(
      'predictions',
      {
        ...(standing.value === 'due' ? { due: '1w' } : { standing: standing.value || 'open' }),
        limit: pageSize,
        page,
        ...(agent !== '' && { agent }),
      },
      signal,
    ),
  )
  if (value === undefined) return error === undefined ? <Loading /> : <Trouble error={error} />
  if (value.total === 0) return <Empty title={standing.none} />
  return (
    <>
      <ul class="rows">
        {value.predictions.map((prediction) => (
          <Row key={prediction.id} prediction={prediction} />
        ))}
      </ul>
      <Pages page={page} of={Math.ceil(value.total / pageSize)} />
    </>
  )
}

export function Predictions() {
  const days = chosen('days')
  const agent = chosen('agent')
  const by = groupings.find(({ value: grouping }) => grouping === chosen('by'))?.value ?? ''
  const { value, error } = useResource(`calibration ${days} ${agent} ${by}`, (signal) =>
    call(
      'calibration',
      {
        // The default, spelt out: bands and the fit come only with a request for more than the plain figures.
        scored: 'last',
        ...(days !== '' && { since_days: Number(days) }),
        ...(agent !== '' && { agent }),
        ...(by !== '' && { by }),
      },
      signal,
    ),
  )
  return (
    <>
      <Card
        title="Track record"
        aside={
          <div class="filters">
            <Select name="agent" label="By" choices={agentChoices.value} />
            <Select name="days" label="Resolved in" choices={periods} />
          </div>
        }
      >
        <Trouble error={error} />
        {value === undefined ? error === undefined && <Loading /> : <Record calibration={value} />}
      </Card>
      <Card title="Predictions">
        <Tabs name="show" label="Which predictions" choices={standings} />
        <List />
      </Card>
    </>
  )
}
