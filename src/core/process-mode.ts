/**
 * The kind of process that has a brain open: `oneshot` is a command, which ends soon; `embedded` is a program that
 * uses the library, about which nothing is known; `service` serves many calls, so it keeps vectors in memory and its
 * event loop free.
 */
export type ProcessMode = 'oneshot' | 'embedded' | 'service'
