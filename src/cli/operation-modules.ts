/**
 * Where each operation is loaded from, so that a command loads its own and no other. A new operation does not
 * compile until it is here.
 */
import type { definitions } from '../operations/index.ts'
import type { Operation } from '../operations/operation.ts'

type Loaders = Readonly<Record<keyof typeof definitions, () => Promise<Operation>>>

const loaders: Loaders = {
  remember: async () => (await import('../operations/memories.ts')).remember,
  recall: async () => (await import('../operations/memories.ts')).recall,
  forget: async () => (await import('../operations/memories.ts')).forget,
  believe: async () => (await import('../operations/beliefs.ts')).believe,
  revise: async () => (await import('../operations/beliefs.ts')).revise,
  evidence: async () => (await import('../operations/beliefs.ts')).evidence,
  evidence_for: async () => (await import('../operations/beliefs.ts')).evidenceFor,
  beliefs: async () => (await import('../operations/beliefs.ts')).beliefs,
  predict: async () => (await import('../operations/predictions.ts')).predict,
  resolve: async () => (await import('../operations/predictions.ts')).resolve,
  predictions_open: async () => (await import('../operations/predictions.ts')).predictionsOpen,
  calibration: async () => (await import('../operations/predictions.ts')).calibration,
  flag: async () => (await import('../operations/instinct.ts')).flag,
  assess: async () => (await import('../operations/instinct.ts')).assess,
  state: async () => (await import('../operations/state.ts')).state,
  recall_dreams: async () => (await import('../operations/dreams.ts')).recallDreams,
  note_about: async () => (await import('../operations/agents.ts')).noteAbout,
  outside_views: async () => (await import('../operations/agents.ts')).outsideViews,
}

/** Loads the operation of a catalogue entry. */
export function loadOperation(name: string): Promise<Operation> {
  // Every name in the catalogue is the name of an operation in the list, which is what the table is keyed by.
  return loaders[name as keyof typeof definitions]()
}
