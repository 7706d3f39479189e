/**
 * A list of any length, of which only the rows in sight exist. Rows come in pages, asked for when they are scrolled to
 * and no longer when they are scrolled past. Knows heights and pages; what a row shows is its user's.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { revision } from '../api.ts'

export interface Page<T> {
  readonly total: number
  readonly rows: readonly T[]
}

interface VirtualProps<T> {
  /** Changes when the list is another one: it then starts from the top. */
  readonly name: string
  readonly label: string
  readonly rowHeight: number
  readonly pageSize: number
  /** A page, counted from 0. */
  readonly load: (page: number, signal: AbortSignal) => Promise<Page<T>>
  readonly row: (row: T, before: T | undefined, at: number) => ComponentChildren
  readonly keyOf: (row: T) => string
  /** Told of what is in sight: the first row, and how many there are in all, once that is known. */
  readonly onSight: (first: T | undefined, total: number | undefined) => void
  readonly onTrouble: (error: Error | undefined) => void
  readonly empty: ComponentChildren
}

/** Rows that come and go together: scrolling within them draws nothing again. */
const stride = 8
/** Rows kept ready above and below what is in sight, for the frames that the browser scrolls before it hears of new ones. */
const spare = 2 * stride
/** Milliseconds a page has to stay in sight before it is asked for: what rushes past is not. */
const settling = 40

export function Virtual<T>(props: VirtualProps<T>) {
  const { name, rowHeight, pageSize, load, keyOf, onSight, onTrouble } = props
  const box = useRef<HTMLDivElement>(null)
  const pages = useRef(new Map<number, readonly T[]>())
  const [total, setTotal] = useState<number>()
  const [failed, setFailed] = useState(false)
  /** The first row in sight, to within a stride. */
  const [near, setNear] = useState(0)
  const [height, setHeight] = useState(600)
  const [, draw] = useState(0)
  const active = useRef(0)
  const version = revision.value
  /** What the pages at hand are of. */
  const list = useRef({ name, version })

  const rowAt = (at: number): T | undefined => pages.current.get(Math.floor(at / pageSize))?.[at % pageSize]
  const first = Math.max(0, near - spare)
  const last = Math.min(total ?? pageSize, near + stride + Math.ceil(height / rowHeight) + spare)

  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const observer = new ResizeObserver(() => setHeight(current.clientHeight))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  // Asked before the frame is painted, where an effect would wait for the next one.
  useLayoutEffect(() => {
    if (list.current.name !== name) {
      pages.current.clear()
      active.current = 0
      setTotal(undefined)
      setFailed(false)
      box.current?.scrollTo(0, 0)
      setNear(0)
      list.current = { name, version }
    }
    const stale = list.current.version !== version
    const from = Math.floor(first / pageSize)
    const to = Math.floor(Math.max(first, last - 1) / pageSize)
    const wanted = Array.from({ length: to - from + 1 }, (_, step) => from + step).filter(
      (page) => stale || !pages.current.has(page),
    )
    if (wanted.length === 0) return
    const controller = new AbortController()
    const ask = (): void => {
      Promise.all(wanted.map(async (page) => ({ page, ...(await load(page, controller.signal)) })))
        .then((found) => {
          // What was read before the change is read again when it is scrolled to.
          if (stale) pages.current.clear()
          list.current = { name, version }
          for (const { page, rows } of found) pages.current.set(page, rows)
          setTotal(found[0]?.total)
          setFailed(false)
          onTrouble(undefined)
          draw((n) => n + 1)
        })
        .catch((error: unknown) => {
          if (controller.signal.aborted) return
          setFailed(true)
          onTrouble(error instanceof Error ? error : new Error(String(error)))
        })
    }
    const rushing = pages.current.size > 0 && !stale
    const later = rushing ? setTimeout(ask, settling) : undefined
    if (!rushing) ask()
    return () => {
      clearTimeout(later)
      controller.abort()
    }
  }, [name, version, Math.floor(first / pageSize), Math.floor(Math.max(first, last - 1) / pageSize)])

  /** Notices where the list is scrolled to. */
  const look = (): void => {
    const top = Math.floor((box.current?.scrollTop ?? 0) / rowHeight)
    setNear(top - (top % stride))
    onSight(rowAt(top), total)
  }
  useEffect(look)

  const focusRow = (at: number): void => {
    active.current = Math.max(0, Math.min((total ?? 1) - 1, at))
    const { current } = box
    if (current === null) return
    const from = active.current * rowHeight
    if (from < current.scrollTop) current.scrollTop = from
    else if (from + rowHeight > current.scrollTop + current.clientHeight)
      current.scrollTop = from + rowHeight - current.clientHeight
    look()
    // Once the row is there.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        current.querySelector<HTMLElement>(`[data-at="${active.current}"] a`)?.focus({ preventScroll: true }),
      ),
    )
  }
  const page = Math.max(1, Math.floor(height / rowHeight) - 1)
  const steps: Readonly<Record<string, () => number>> = {
    ArrowDown: () => active.current + 1,
    ArrowUp: () => active.current - 1,
    PageDown: () => active.current + page,
    PageUp: () => active.current - page,
    Home: () => 0,
    End: () => (total ?? 1) - 1,
  }

  if (total === 0) return <>{props.empty}</>
  // Nothing is on its way that room would have to be kept for.
  if (total === undefined && failed) return null
  const inSight = Math.min(Math.max(active.current, first), Math.max(first, last - 1))
  return (
    <div
      ref={box}
      class="virtual"
      onScroll={look}
      onKeyDown={(event) => {
        const step = steps[event.key]
        if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        focusRow(step())
      }}
    >
      <div
        role="list"
        aria-label={props.label}
        aria-busy={total === undefined}
        style={{ height: `${(total ?? 12) * rowHeight}px` }}
      >
        {Array.from({ length: Math.max(0, last - first) }, (_, step) => {
          const at = first + step
          const row = rowAt(at)
          return (
            <div
              key={row === undefined ? `at-${at}` : keyOf(row)}
              role="listitem"
              class="virtual-row"
              data-at={at}
              aria-setsize={total ?? -1}
              aria-posinset={at + 1}
              style={{ transform: `translateY(${at * rowHeight}px)`, height: `${rowHeight}px` }}
              onFocusIn={() => {
                active.current = at
              }}
              {...(at === inSight && { 'data-active': '' })}
            >
              {row === undefined ? (
                <span class="virtual-wait">Loading</span>
              ) : (
                props.row(row, rowAt(at - 1), at)
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
