/** The confidence that a belief starts with, for people, where it is not the one that was asked for. */
import { highestConfidence, lowestConfidence } from '../../core/sprt.ts'
import { figure } from './output.ts'

/** What was kept of the confidence that was asked for, if one was. */
export const keptConfidence = (kept: number, asked: unknown): string =>
  typeof asked === 'number' && asked !== kept
    ? `${figure(kept)}, not at ${asked}: a belief stays between ${lowestConfidence} and ${highestConfidence}, so that evidence can move it`
    : figure(kept)
