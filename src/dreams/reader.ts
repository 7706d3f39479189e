/**
 * Who reads for a night: the package's model, over vectors that are its encoder's, a second thread reading the newest
 * notes while the night's own is busy with what comes before. Knows models; what is worth reading is for the kinds of thoughts.
 */
import { sameModel } from '../models/pool.ts'
import { readAhead } from '../models/reading-ahead.ts'
import type { NightContext } from './collect.ts'
import { byTime } from './reading/concordance.ts'
import { nearStart } from './reading/pairs.ts'
import type { DreamNote, NoteReader } from './thought.ts'

/** Notes from which a second thread is sooner than this one. */
const aheadFrom = 30

/** A reader for these notes, to be closed; undefined without the model's files. */
export async function openReader(
  { embedders, store }: NightContext,
  notes: readonly DreamNote[],
): Promise<(NoteReader & { close(): Promise<unknown> }) | undefined> {
  const model = await embedders.nightReader()
  if (model === undefined) return undefined
  const served = await store.index.servedModel()
  const isOwn = served !== undefined && sameModel(served, model.encoder.identity)
  const toRead = ({ text, vector }: DreamNote) => ({ text, vector: isOwn ? vector : undefined })
  const inOrder = notes.toSorted(byTime)
  const newest = inOrder.slice(nearStart({ notes: inOrder })).reverse()
  const ahead = readAhead(newest.length < aheadFrom ? [] : newest.map(toRead))
  return {
    stand: (older, newer) => model.stand(older, newer),
    rolesOf: (note) => ahead.rolesOf(note.text) ?? model.rolesOf(note.text, toRead(note).vector),
    close: ahead.close,
  }
}
