/** A clock for measuring how long things take. Knows no date. */
import { hrtime } from 'node:process'

/** Milliseconds that only grow. Not `performance.now`, which a command would have to load first. */
export const milliseconds = (): number => Number(hrtime.bigint()) / 1e6
