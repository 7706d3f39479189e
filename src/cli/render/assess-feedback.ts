/** Feedback on a flag and a plan, for people. */
import type { Output } from './output.ts'

export const render = ({ memory_id, verdict }: Output<'assess_feedback'>): string =>
  verdict === 'match'
    ? `flag ${memory_id} is held against plans like this one as before`
    : `flag ${memory_id} will be held less against plans like this one`
