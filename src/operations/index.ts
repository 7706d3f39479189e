/** The ordered list of operations: what every interface loops over. */
import { noteAbout, outsideViews } from './agents.ts'
import { beliefs, believe, evidence, evidenceFor, revise } from './beliefs.ts'
import { recallDreams } from './dreams.ts'
import { assess, flag } from './instinct.ts'
import { forget, recall, remember } from './memories.ts'
import type { Operation } from './operation.ts'
import { calibration, predict, predictionsOpen, resolve } from './predictions.ts'
import { state } from './state.ts'

/** By their names: the tools', and in camelCase the library's. */
export const definitions = {
  remember,
  recall,
  recall_dreams: recallDreams,
  believe,
  revise,
  evidence,
  evidence_for: evidenceFor,
  beliefs,
  predict,
  resolve,
  predictions_open: predictionsOpen,
  calibration,
  flag,
  assess,
  state,
  note_about: noteAbout,
  outside_views: outsideViews,
  forget,
} as const

/** In the order in which help, OpenAPI and tools list them. */
export const operations: readonly Operation[] = Object.values(definitions)
