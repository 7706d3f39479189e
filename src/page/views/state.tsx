/** State: how hard the brain is worked, what asks for attention, how big it is, and what opens it. */
import { count, counted, nameOfCount } from '../../core/counts.ts'
import { brain, call, type Output } from '../api.ts'
import { Agent, Badge, Loading, Meter, Time, Trouble } from '../parts/basics.tsx'
import { Fact, Facts } from '../parts/facts.tsx'
import { CopyCommand } from '../parts/notices.tsx'
import { Card } from '../parts/pieces.tsx'
import { bytes, percent } from '../parts/words.ts'
import { agents, overview } from '../project.ts'
import { useResource } from '../resource.ts'
import { addressOf, type View } from '../route.ts'

type State = Output<'state'>
type Overview = Output<'overview'>

/** Where each driver is seen to. */
const places: Readonly<Record<string, readonly [View, string, Readonly<Record<string, string>>]>> = {
  surprise: ['predictions', 'See what surprised', { show: 'resolved' }],
  miscalibration: ['predictions', 'See the track record', {}],
  overdue_predictions: ['predictions', 'See what is overdue', { show: 'overdue' }],
  contested_beliefs: ['beliefs', 'See what is undecided', { status: 'accumulating' }],
  unread_dreams: ['dreams', 'Read them', {}],
}

function Effort({ state }: { state: State }) {
  const { load, reserve, active_minutes, window_minutes, last_active } = state
  return (
    <Card title="Effort">
      <p class="state-word">
        <Badge kind={`state-${state.state}`}>{state.state}</Badge>
      </p>
      <p>{state.advice}</p>
      <Facts>
        <Fact name="Load">{load.toFixed(1)} calls in an active minute</Fact>
        <Fact name="Reserve">
          <Meter share={reserve} label={`Reserve ${percent(reserve)}`} tone="good" /> {percent(reserve)}
        </Fact>
        <Fact name="Active">
          {active_minutes} of the last {window_minutes} minutes
          {last_active !== null && (
            <>
              , last <Time at={last_active} />
            </>
          )}
        </Fact>
      </Facts>
    </Card>
  )
}

const Drivers = ({ state }: { state: State }) => (
  <Card title="What asks for attention">
    {state.drivers.length === 0 ? (
      <p class="muted">Nothing does.</p>
    ) : (
      <ul class="rows">
        {state.drivers.map(({ name, weight, why }) => {
          const place = places[name]
          return (
            <li key={name} class="row">
              <div class="row-main">
                <p>{why}</p>
                {place !== undefined && (
                  <p class="meta">
                    <a href={addressOf(place[2], place[0])}>{place[1]}</a>
                  </p>
                )}
              </div>
              <div class="row-figure">
                <Meter share={weight} label={`Weight ${percent(weight)}`} tone="warn" />
              </div>
            </li>
          )
        })}
      </ul>
    )}
  </Card>
)

const Holdings = ({ told }: { told: Overview }) => (
  <Card title="What it holds">
    <dl class="tiles">
      {Object.entries(told.counts).map(([name, n]) => (
        <div key={name}>
          <dt>{nameOfCount(n, name)}</dt>
          <dd>{count(n)}</dd>
        </div>
      ))}
    </dl>
    {agents.value.length > 0 && (
      <ul class="agents">
        {agents.value.map(({ name, records }) => (
          <li key={name}>
            <a href={addressOf({ agent: name }, 'timeline')}>
              <Agent name={name} />
            </a>{' '}
            <span class="muted">{count(records)}</span>
          </li>
        ))}
      </ul>
    )}
  </Card>
)

const Machinery = ({ told }: { told: Overview }) => (
  <Card title="Where it is kept">
    <Facts>
      <Fact name="Brain">
        <bdi>{brain.value}</bdi>
      </Fact>
      <Fact name="Project">
        <bdi>{told.project}</bdi>
      </Fact>
      <Fact name="Size">{bytes(told.size_bytes)}, all projects together</Fact>
      <Fact name="Model">
        {told.model === null
          ? `none has read anything yet (${told.embedder})`
          : `${told.model.name}, ${told.model.dimension} dimensions`}
      </Fact>
      {told.embedding_backlog > 0 && (
        <Fact name="Waiting">{counted(told.embedding_backlog, 'memory', 'memories')} without a vector</Fact>
      )}
      <Fact name="Version">{told.version}</Fact>
    </Facts>
  </Card>
)

type Key = Overview['keys'][number]

const standing = ({ revoked_at, expires_at }: Key): string =>
  revoked_at !== null
    ? 'revoked'
    : expires_at === null
      ? 'live'
      : new Date(expires_at).getTime() <= Date.now()
        ? 'expired'
        : 'ends'

/** Live ones first, then the newest. */
const inOrder = (a: Key, b: Key): number => {
  const over = (key: Key): number => (/live|ends/.test(standing(key)) ? 0 : 1)
  return over(a) - over(b) || (a.created_at < b.created_at ? 1 : -1)
}

const Keys = ({ told }: { told: Overview }) => (
  <Card title="Keys">
    {told.keys.length === 0 ? (
      <p class="muted">No key opens this project.</p>
    ) : (
      <div class="table-box" tabIndex={0} role="region" aria-label="Keys of this project">
        <table>
          <thead>
            <tr>
              <th scope="col">Label</th>
              <th scope="col">Id</th>
              <th scope="col">Last used</th>
              <th scope="col">Standing</th>
              <th scope="col">
                <span class="unseen">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {told.keys.toSorted(inOrder).map((key) => (
              <tr key={key.id}>
                <th scope="row">{key.label ?? '–'}</th>
                <td>
                  <code>{key.id}</code>
                </td>
                <td>{key.last_used_at === null ? 'never' : <Time at={key.last_used_at} />}</td>
                <td>
                  {standing(key)}{' '}
                  {standing(key) === 'ends' && key.expires_at !== null && <Time at={key.expires_at} />}
                </td>
                <td>
                  {/live|ends/.test(standing(key)) && (
                    <CopyCommand of={['key', 'revoke', key.id]}>
                      Copy revoke<span class="unseen"> command of {key.id}</span>
                    </CopyCommand>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Card>
)

export function State() {
  const { value: state, error } = useResource('state', (signal) => call('state', {}, signal))
  const told = overview.value
  return (
    <>
      <Trouble error={error} />
      {state === undefined || told === undefined ? (
        error === undefined && <Loading />
      ) : (
        <div class="cards">
          <Effort state={state} />
          <Drivers state={state} />
          <Holdings told={told} />
          <Machinery told={told} />
          <Keys told={told} />
        </div>
      )}
    </>
  )
}
