/** Opening what is needed later, at most once. Knows nothing of what it is. */

/** Runs `open` until it succeeds once, and keeps what came of it. */
export function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}
