/**
 * Who reads for a night: the package's models, over vectors that are their encoder's, a second thread reading the newest
 * notes while the night's own is busy with what comes before; what an earlier night has read is not read again. Knows models;
 * what is worth reading is for the kinds of thoughts.
 */
import { roles, standings } from '../models/night-model.ts'
import { type Relation, relationKinds } from '../models/pair-model.ts'
import { readAhead } from '../models/reading-ahead.ts'
import { type NightContext, readsVectors } from './collect.ts'
import { nearStart } from './reading/pairs.ts'
import { KeptReadings } from './readings.ts'
import type { DreamNote, NoteReader } from './thought.ts'

/** Notes from which a second thread is sooner than this one. */
const aheadFrom = 30

export interface NightReaders {
  /** Undefined without the model's files. */
  readonly reader: NoteReader | undefined
  /** How a newer note stands to an older one, by the pair model; undefined without its files. */
  readonly relate: ((older: string, newer: string) => Relation) | undefined
  /** To be called at the end; `finished` unless something cut the night short. */
  close(how: { readonly finished: boolean }): Promise<void>
}

/** Readers for these notes, oldest first. */
export async function openReaders(context: NightContext, notes: readonly DreamNote[]): Promise<NightReaders> {
  const model = await context.embedders.nightReader()
  const pairModel = await context.embedders.reader()
  const kept =
    context.directory !== undefined && (model ?? pairModel) !== undefined
      ? new KeptReadings(context.directory, context.project)
      : undefined
  const isOwn = model !== undefined && (await readsVectors(context, model))
  const vectorOf = ({ vector }: DreamNote) => (isOwn ? vector : undefined)
  const rolesRead = (note: DreamNote) => {
    const vector = vectorOf(note)
    const bytes = vector && new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    return ['roles', note.text, bytes ?? ''] as const
  }
  const newest = notes
    .slice(nearStart({ notes }))
    .reverse()
    .filter((note) => kept?.find(roles, rolesRead(note)) === undefined)
  const isWorthThread = model !== undefined && newest.length >= aheadFrom
  const ahead = readAhead(
    isWorthThread ? newest.map((note) => ({ text: note.text, vector: vectorOf(note) })) : [],
  )
  const once: KeptReadings['once'] = (names, read, make) => kept?.once(names, read, make) ?? make()
  return {
    reader: model && {
      stand: (older, newer) => once(standings, ['standings', older, newer], () => model.stand(older, newer)),
      rolesOf: (note) =>
        once(
          roles,
          rolesRead(note),
          () => ahead.rolesOf(note.text) ?? model.rolesOf(note.text, vectorOf(note)),
        ),
    },
    relate:
      pairModel &&
      ((older, newer) =>
        once(relationKinds, ['relations', older, newer], () => pairModel.relate(older, newer))),
    close: async (how) => {
      await ahead.close()
      kept?.save(how)
    },
  }
}
