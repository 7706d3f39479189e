/** Where SQLite keeps the last night of a project: in a setting. */
import type { NightRecord } from '../rows/dreams.ts'
import type { Nights } from '../sql/dreams.ts'
import { readSetting, writeSetting } from '../sql/session.ts'

const keyOf = ({ projectId }: { readonly projectId: number }): string => `night_${projectId}`

export const nights: Nights = {
  *read(session) {
    const written = yield* readSetting(session, keyOf(session))
    // Written by the function below and by nobody else.
    return written === undefined ? undefined : (JSON.parse(written) as NightRecord)
  },

  write: (session, night) => writeSetting(session, keyOf(session), JSON.stringify(night)),
}
