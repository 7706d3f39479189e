/** The parts of a store that every SQL database answers alike. */
import type { Store } from '../store.ts'
import { createBeliefStore } from './beliefs.ts'
import { createCitationStore } from './citations.ts'
import { createDreamStore, type Nights } from './dreams.ts'
import { createExemptionStore } from './exemptions.ts'
import { createHistoryStore } from './histories.ts'
import { createObservationStore } from './observations.ts'
import { createPredictionStore } from './predictions.ts'
import { createRecallVerdictStore } from './recall-verdicts.ts'
import type { SqlDatabase } from './session.ts'

type Shared = Pick<
  Store,
  | 'dreams'
  | 'beliefs'
  | 'predictions'
  | 'observations'
  | 'exemptions'
  | 'verdicts'
  | 'citations'
  | 'histories'
>

export const createSharedStores = (database: SqlDatabase, nights: Nights): Shared => ({
  dreams: createDreamStore(database, nights),
  beliefs: createBeliefStore(database),
  predictions: createPredictionStore(database),
  observations: createObservationStore(database),
  exemptions: createExemptionStore(database),
  verdicts: createRecallVerdictStore(database),
  citations: createCitationStore(database),
  histories: createHistoryStore(database),
})
