/**
 * Who reads for a night: the package's model, over vectors that are its encoder's, a second thread reading the newest
 * notes while the night's own is busy with what comes before. Knows models; what is worth reading is for the kinds of thoughts.
 */
import { readAhead } from '../models/reading-ahead.ts'
import { type NightContext, readsVectors } from './collect.ts'
import { nearStart } from './reading/pairs.ts'
import type { DreamNote, NoteReader } from './thought.ts'

/** Notes from which a second thread is sooner than this one. */
const aheadFrom = 30

/** A reader for these notes, oldest first, to be closed; undefined without the model's files. */
export async function openReader(
  context: NightContext,
  notes: readonly DreamNote[],
): Promise<(NoteReader & { close(): Promise<unknown> }) | undefined> {
  const model = await context.embedders.nightReader()
  if (model === undefined) return undefined
  const isOwn = await readsVectors(context, model)
  const toRead = ({ text, vector }: DreamNote) => ({ text, vector: isOwn ? vector : undefined })
  const newest = notes.slice(nearStart({ notes })).reverse()
  const ahead = readAhead(newest.length < aheadFrom ? [] : newest.map(toRead))
  return {
    stand: (older, newer) => model.stand(older, newer),
    rolesOf: (note) => ahead.rolesOf(note.text) ?? model.rolesOf(note.text, toRead(note).vector),
    close: ahead.close,
  }
}
