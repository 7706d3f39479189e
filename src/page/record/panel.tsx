/** The record that is open next to the view: in full, with what refers to it and what can be done to it. */
import { useEffect, useRef } from 'preact/hooks'
import { call, type Output } from '../api.ts'
import { Badge, idOf, type Kind, Loading, Trouble } from '../parts/basics.tsx'
import { CopyCommand } from '../parts/notices.tsx'
import { useResource } from '../resource.ts'
import { choose, chosen } from '../route.ts'
import { BeliefFacts } from './belief.tsx'
import { DreamFacts } from './dream.tsx'
import { NoteFacts } from './note.tsx'
import { ObservationFacts } from './observation.tsx'
import { PredictionFacts } from './prediction.tsx'

export type Shown = Output<'show'>['record']
export type Of<K extends Shown['kind']> = Extract<Shown, { kind: K }>

const kinds: readonly Kind[] = ['memory', 'flag', 'belief', 'prediction', 'dream', 'observation']

/** The kind and id in the address, if they are any. */
function opened(): { kind: Kind; id: number } | undefined {
  const [, name, id] = /^(\w+)\.(\d+)$/.exec(chosen('open')) ?? []
  const kind = kinds.find((one) => one === name)
  return kind === undefined ? undefined : { kind, id: Number(id) }
}

const closeRecord = (): void => choose({ open: undefined })

function Facts({ record }: { record: Shown }) {
  switch (record.kind) {
    case 'memory':
    case 'flag':
      return <NoteFacts record={record} />
    case 'belief':
      return <BeliefFacts record={record} />
    case 'prediction':
      return <PredictionFacts record={record} />
    case 'dream':
      return <DreamFacts record={record} />
    case 'observation':
      return <ObservationFacts record={record} />
    case 'evidence':
      // Stands in the trail of its belief here.
      return null
  }
}

/** Back to what the record was opened from. */
const focusOpener = (opener: string): void => {
  const links = [...document.querySelectorAll<HTMLElement>(`main a[href*="open=${opener}"]`)]
  const link =
    links.find((one) => one.offsetParent !== null) ?? document.querySelector<HTMLElement>('main h1')
  link?.focus()
}

export function RecordPanel() {
  const open = opened()
  const name = open && idOf(open.kind, open.id)
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef<string | undefined>(undefined)
  const { value, error, loading } = useResource(name, (signal) =>
    call('show', { kind: open?.kind, id: open?.id ?? 0 }, signal),
  )
  useEffect(() => {
    if (name !== undefined) heading.current?.focus()
    else if (before.current !== undefined) focusOpener(before.current)
    before.current = name
  }, [name])
  if (open === undefined) return null
  const record = value?.record
  const current =
    record !== undefined && record.id === open.id && (record.kind === open.kind || open.kind === 'memory')
  return (
    <aside
      class="panel"
      aria-label="Open record"
      onKeyDown={(event) => {
        if (event.key === 'Escape') closeRecord()
      }}
    >
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          <Badge kind={current ? record.kind : open.kind} /> {open.id}
        </h2>
        <CopyCommand class="quiet" of={['show', open.kind, open.id]} />
        <button type="button" class="quiet" aria-label="Close the record" onClick={closeRecord}>
          ×
        </button>
      </div>
      <div class="panel-body">
        <Trouble error={error} />
        {current ? <Facts key={name} record={record} /> : loading && <Loading rows={3} />}
      </div>
    </aside>
  )
}
