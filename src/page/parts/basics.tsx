/** The smallest parts that views share: names, times, meters, and what stands where nothing else does. */
import type { ComponentChildren } from 'preact'
import { Refusal, refresh, Unreachable } from '../api.ts'
import { addressOf } from '../route.ts'
import { agoOf, dayOf, hourOf } from './words.ts'

export type Kind = 'memory' | 'flag' | 'belief' | 'prediction' | 'dream' | 'observation'

/** Which of the eight colours an agent has: always the same one. */
const hueOf = (name: string): number =>
  [...name].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9_973, 7) % 8

export const Agent = ({ name }: { name: string }) => (
  <span class="agent">
    <i class={`dot hue-${hueOf(name)}`} aria-hidden="true" />
    <bdi>{name}</bdi>
  </span>
)

export const Badge = ({ kind, children }: { kind: string; children?: ComponentChildren }) => (
  <span class={`badge badge-${kind}`}>{children ?? kind}</span>
)

export const Time = ({ at, short = false }: { at: string; short?: boolean }) => (
  <time dateTime={at} title={`${dayOf(at)} ${hourOf(at)}`}>
    {short ? hourOf(at) : agoOf(at)}
  </time>
)

/** A share as a bar, followed by its figure. */
export const Meter = ({ share, label, tone = 'accent' }: { share: number; label: string; tone?: string }) => (
  <span class={`meter tone-${tone}`} role="img" aria-label={label}>
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect class="meter-all" width="100" height="6" rx="3" />
      <rect class="meter-part" width={Math.max(0, Math.min(1, share)) * 100} height="6" rx="3" />
    </svg>
  </span>
)

export const idOf = (kind: Kind, id: number): string => `${kind}.${id}`

/** A link to a record, which opens next to the view. */
export const RecordLink = ({
  kind,
  id,
  children,
  ...rest
}: {
  kind: Kind
  id: number
  class?: string
  children?: ComponentChildren
}) => (
  <a {...rest} dir="auto" href={addressOf({ open: idOf(kind, id) })}>
    {children ?? `${kind} ${id}`}
  </a>
)

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
)

/** Shown for an empty brain. */
export const NothingKept = () => (
  <Empty title="Nothing is kept yet">
    <p>
      Keep a first note with <code>brain remember "…"</code>, or connect an agent with{' '}
      <code>brain setup</code>.
    </p>
  </Empty>
)

/** Room kept while an answer is on its way for the first time. */
export const Loading = ({ rows = 4 }: { rows?: number }) => (
  <div class="skeleton" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} />
    ))}
  </div>
)

/** What went wrong and what to do about it; nothing where the entire page shows it already. */
export function Trouble({ error }: { error: Error | undefined }) {
  if (error === undefined || error instanceof Unreachable) return null
  if (error instanceof Refusal && error.status === 401) return null
  const fault = error instanceof Refusal && error.status >= 500
  return (
    <p class="trouble" role="alert">
      {fault ? `The daemon could not answer this (${error.message}); its log says more. ` : error.message}
      {fault && (
        <button type="button" class="small" onClick={refresh}>
          Try again
        </button>
      )}
    </p>
  )
}

export const Code = ({ children }: { children: string }) => <code>{children}</code>
