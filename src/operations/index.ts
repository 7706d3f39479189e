/** The ordered list of operations: what every interface loops over. */
import { assess } from './assess.ts'
import { beliefs } from './beliefs.ts'
import { believe } from './believe.ts'
import { calibration } from './calibration.ts'
import { recallDreams } from './dreams.ts'
import { evidence } from './evidence.ts'
import { evidenceFor } from './evidence-for.ts'
import { flag } from './flag.ts'
import { forget } from './forget.ts'
import { noteAbout } from './note-about.ts'
import type { Operation } from './operation.ts'
import { outsideViews } from './outside-views.ts'
import { predict } from './predict.ts'
import { predictionsOpen } from './predictions-open.ts'
import { recall } from './recall.ts'
import { remember } from './remember.ts'
import { resolve } from './resolve.ts'
import { revise } from './revise.ts'
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
