/** Messages after a write, with undo, and the question before a write that cannot be undone. */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { reasonOf } from '../../core/errors.ts'
import { Refusal, refresh } from '../api.ts'
import { commandOf, sentence } from './words.ts'

interface Notice {
  readonly text: string
  readonly undo?: (() => Promise<unknown>) | undefined
}

const notice = signal<Notice | undefined>(undefined)
let ending: ReturnType<typeof setTimeout> | undefined

const shownFor = 10_000

/** Says what was done; `undo` takes it back. */
export function tell(text: string, undo?: () => Promise<unknown>): void {
  clearTimeout(ending)
  notice.value = { text, undo }
  ending = setTimeout(dismiss, shownFor)
}

function dismiss(): void {
  clearTimeout(ending)
  notice.value = undefined
}

/** Says why something was not done. What is shown may be why: it is read again. */
export function tellRefused(error: unknown): void {
  tell(`${sentence(reasonOf(error))} Nothing was changed.`)
  if (error instanceof Refusal) refresh()
}

/** Does a write and shows the answer everywhere, and the reason where the daemon refuses. Returns whether it was done. */
export async function write(
  work: () => Promise<unknown>,
  said: string,
  undo?: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work()
  } catch (error) {
    tellRefused(error)
    return false
  }
  refresh()
  tell(said, undo && (() => write(undo, 'Undone.')))
  return true
}

/** Copies a text, or shows it where the browser lets nothing be copied. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    tell(`Copied: ${text}`)
  } catch {
    tell(text)
  }
}

/** Copies the command line that does what is shown, from its words after `brain`. */
export const CopyCommand = ({
  of,
  class: name = 'small',
  children = 'Copy as command',
}: {
  of: readonly (string | number)[]
  class?: string
  children?: ComponentChildren
}) => (
  <button type="button" class={name} onClick={() => void copy(commandOf(...of))}>
    {children}
  </button>
)

export function Notices() {
  const shown = notice.value
  return (
    <div
      class="notices"
      role="status"
      onMouseEnter={() => clearTimeout(ending)}
      onFocusIn={() => clearTimeout(ending)}
    >
      {shown && (
        <div class="notice">
          <span>{shown.text}</span>
          {shown.undo && (
            <button
              type="button"
              onClick={() => {
                dismiss()
                void shown.undo?.()
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Dismiss" onClick={dismiss}>
            ×
          </button>
        </div>
      )}
    </div>
  )
}

interface Question {
  readonly title: string
  readonly content: ComponentChildren
  readonly action: string
  readonly work: () => Promise<unknown>
}

const question = signal<Question | undefined>(undefined)
let number = 0

/** Asks before what cannot be undone. */
export const ask = (asked: Question): void => {
  number += 1
  question.value = asked
}

// What it is about has left the screen.
addEventListener('hashchange', () => {
  question.value = undefined
})

function Dialog({ asked }: { asked: Question }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const close = (): void => dialog.current?.close()
  return (
    <dialog
      ref={dialog}
      aria-labelledby="question"
      onClose={() => {
        question.value = undefined
      }}
    >
      <h2 id="question">{asked.title}</h2>
      {asked.content}
      <div class="actions">
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          onClick={async ({ detail }) => {
            // The second click of two: the question may be another by now.
            if (detail > 1) return
            await asked.work()
            if (question.value === asked) close()
          }}
        >
          {asked.action}
        </button>
      </div>
    </dialog>
  )
}

export function Questions() {
  const asked = question.value
  return asked === undefined ? null : <Dialog key={number} asked={asked} />
}
