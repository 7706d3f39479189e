/**
 * Progress of long work on a terminal's standard error, on one line that goes away when the work is done. Drawn here
 * and not by clack, whose spinner takes the keyboard and answers Ctrl-C by ending the process as if all were well.
 */
import type { Terminal } from './terminal.ts'

/** Milliseconds of work before progress is shown. */
const showAfter = 500
const interval = 100
const barWidth = 24

/** What is known of work that is under way. */
export interface Step {
  /** What is being done: `embedding`. */
  readonly doing: string
  readonly done?: number
  /** Absent where it cannot be known. */
  readonly total?: number | undefined
  /** What has come of it so far: `1,200 records`. */
  readonly yield?: string
}

export interface Progress {
  update(step: Step): void
  /** Clears the line; nothing is drawn afterwards. */
  end(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** One line: a bar where the end is known, a spinner where it is not. */
export function renderStep(step: Step, frame: number): string {
  const { doing, done, total } = step
  const tail = step.yield === undefined ? '' : `  ${step.yield}`
  if (done === undefined || total === undefined || total <= 0) {
    return `${frames[frame % frames.length]} ${doing}${tail}`
  }
  const share = Math.min(1, done / total)
  const full = Math.round(share * barWidth)
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${String(Math.floor(share * 100)).padStart(3)} %  ${doing}${tail}`
}

const silent: Progress = { update: () => {}, end: () => {} }

/** Runs `work` with a progress line on standard error while a person watches there and `shown` allows it. */
export async function withProgress<T>(
  terminal: Terminal,
  work: (progress: Progress) => Promise<T>,
  shown = true,
): Promise<T> {
  const progress = shown && terminal.attended ? startProgress(terminal) : silent
  try {
    return await work(progress)
  } finally {
    progress.end()
  }
}

function startProgress({ stderr, columns }: Terminal): Progress {
  const width = (columns || 80) - 1
  const started = Date.now()
  let step: Step | undefined
  let drawn = 0
  let frame = 0
  const draw = (): void => {
    const now = Date.now()
    if (step === undefined || now - started < showAfter || now - drawn < interval) return
    drawn = now
    frame += 1
    stderr.write(`\r${renderStep(step, frame).slice(0, width)}\u001b[K`)
  }
  // The spinner keeps turning while the work waits for something else.
  const timer = setInterval(draw, interval)
  return {
    update: (next) => {
      step = next
      draw()
    },
    end: () => {
      clearInterval(timer)
      step = undefined
      if (drawn > 0) stderr.write('\r\u001b[K')
      drawn = 0
    },
  }
}
