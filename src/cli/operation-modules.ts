/**
 * Where each operation is loaded from, so that a command loads its own and no other. A new operation does not
 * compile until it is here.
 */
import type { definitions } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'

type Loaders = Readonly<Record<keyof typeof definitions, () => Promise<Operation>>>

const loaders: Loaders = {
  remember: async () => (await import('../operations/remember.ts')).remember,
  recall: async () => (await import('../operations/recall.ts')).recall,
  forget: async () => (await import('../operations/forget.ts')).forget,
  believe: async () => (await import('../operations/believe.ts')).believe,
  revise: async () => (await import('../operations/revise.ts')).revise,
  evidence: async () => (await import('../operations/evidence.ts')).evidence,
  evidence_for: async () => (await import('../operations/evidence-for.ts')).evidenceFor,
  beliefs: async () => (await import('../operations/beliefs.ts')).beliefs,
  predict: async () => (await import('../operations/predict.ts')).predict,
  resolve: async () => (await import('../operations/resolve.ts')).resolve,
  predictions_open: async () => (await import('../operations/predictions-open.ts')).predictionsOpen,
  calibration: async () => (await import('../operations/calibration.ts')).calibration,
  flag: async () => (await import('../operations/flag.ts')).flag,
  assess: async () => (await import('../operations/assess.ts')).assess,
  state: async () => (await import('../operations/state.ts')).state,
  recall_dreams: async () => (await import('../operations/dreams.ts')).recallDreams,
  note_about: async () => (await import('../operations/note-about.ts')).noteAbout,
  outside_views: async () => (await import('../operations/outside-views.ts')).outsideViews,
}

/** Loads the operation of a catalogue entry. */
export function loadOperation(name: string): Promise<Operation> {
  // Every name in the catalogue is the name of an operation in the list, which is what the table is keyed by.
  return loaders[name as keyof typeof definitions]()
}
