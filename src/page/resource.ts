/** What a view shows of an operation's answer: asked for when the question changes, kept while a newer one is on its way. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { revision, signedIn } from './api.ts'

export interface Resource<T> {
  readonly value: T | undefined
  readonly error: Error | undefined
  /** Whether an answer to the question that is asked now is still to come. */
  readonly loading: boolean
}

interface Answered<T> extends Resource<T> {
  /** The question that was settled last, by an answer or an error. */
  readonly question: string
}

/**
 * The answer to `question`, a text that changes when what `load` asks does; undefined asks nothing. An answer that is
 * no longer wanted is aborted. The answer to an earlier question stays while the next is on its way.
 */
export function useResource<T>(
  question: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> {
  const [state, setState] = useState<Answered<T>>({
    question: '',
    value: undefined,
    error: undefined,
    loading: true,
  })
  const version = revision.value
  // Asked before what is drawn meanwhile is painted: an effect would wait for the next frame.
  useLayoutEffect(() => {
    if (question === undefined || signedIn.value === false) {
      setState({ question: '', value: undefined, error: undefined, loading: false })
      return
    }
    const controller = new AbortController()
    setState((before) => ({ ...before, loading: true }))
    load(controller.signal)
      .then((value) => setState({ question, value, error: undefined, loading: false }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return
        const told = error instanceof Error ? error : new Error(String(error))
        setState((before) => ({ ...before, question, error: told, loading: false }))
      })
    return () => controller.abort()
  }, [question, version])
  return { ...state, loading: state.loading || state.question !== (question ?? '') }
}
