/** The colour of a verdict on a belief. */
import type { BeliefStatus } from '../../core/records.ts'
import type { Style } from './style.ts'

/** The status in its colour. */
export const colourOf = (status: BeliefStatus, style: Style): string =>
  ({ promoted: style.green, demoted: style.red, accumulating: style.yellow })[status](status)
