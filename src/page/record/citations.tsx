/** The places a record rests on with what became of each, and saying that it holds all the same. */
import { call } from '../api.ts'
import { Badge, Time } from '../parts/basics.tsx'
import { Quote } from '../parts/facts.tsx'
import { ask, write } from '../parts/notices.tsx'
import { meanings } from '../parts/stale.tsx'
import type { Of } from './panel.tsx'

type Places = NonNullable<Of<'memory' | 'flag'>['citations']>

type Place = Pick<Places[number], 'path' | 'state'> & Partial<Places[number]>

interface Verified {
  readonly kind: 'memory' | 'evidence'
  readonly id: number
  readonly text: string
  readonly places: readonly Place[]
}

const PlaceLine = ({ path, state, now_at, stamped_at }: Place) => (
  <li>
    <Badge kind={state} /> <code>{path}</code>
    <span class="note">
      {meanings[state]}
      {state === 'moved' && now_at !== undefined && (
        <>
          {': '}
          <code>{now_at}</code>
        </>
      )}
      {stamped_at !== undefined && (
        <>
          {', stamped '}
          <Time at={stamped_at} />
        </>
      )}
    </span>
  </li>
)

/** Stamps the cited text as it is now, once somebody has confirmed that the record still holds. */
export const VerifyButton = ({ kind, id, text, places }: Verified) => (
  <button
    type="button"
    onClick={() =>
      ask({
        title: `Does ${kind} ${id} still hold?`,
        content: (
          <>
            <Quote>{text}</Quote>
            <ul class="plain">
              {places.map((place) => (
                <PlaceLine key={place.path} {...place} />
              ))}
            </ul>
            <p>
              Say so once you have looked: what stands there now becomes what it rests on, and{' '}
              <b>what stood there before is forgotten</b>.
            </p>
          </>
        ),
        action: 'It holds',
        work: () =>
          write(
            () => call('verify', { kind, id, holds: true }),
            `What ${kind} ${id} cites is stamped as it stands now.`,
          ),
      })
    }
  >
    Still holds…<span class="unseen"> {`${kind} ${id}`}</span>
  </button>
)

export function Citations({
  id,
  text,
  places = [],
}: {
  id: number
  text: string
  places?: Places | undefined
}) {
  if (places.length === 0) return null
  return (
    <section class="cites" aria-label="Rests on">
      <h3>Rests on</h3>
      <ul class="plain">
        {places.map((place) => (
          <PlaceLine key={place.path} {...place} />
        ))}
      </ul>
      {places.some(({ state }) => state !== 'fresh') && (
        <VerifyButton kind="memory" id={id} text={text} places={places} />
      )}
    </section>
  )
}
