/** What a project already has, by hashes of texts and origins, so that the same note is not imported twice. */
import { createHash } from 'node:crypto'
import type { Memory } from '../core/records.ts'
import type { Store } from '../store/store.ts'

/**
 * What names a text among millions, in sixteen characters: whole texts would be held all at once. Files of other tools do not
 * tell what space there was around a text.
 */
export const nameOfText = (text: string): string =>
  createHash('sha256').update(text.trim()).digest().toString('latin1', 0, 16)

/** The same of what a note is called where it comes from; no text begins so. */
export const nameOfOrigin = (origin: string): string => nameOfText(`\0${origin}`)

/** The same of a memory: its text, agent and time. */
export const nameOfMemory = ({
  text,
  agent,
  createdAt,
}: Pick<Memory, 'text' | 'agent' | 'createdAt'>): string => nameOfText(`\0${createdAt}\0${agent}\0${text}`)

/**
 * Names of the texts of a project's memories, those that they had before they were edited or merged too, of these memories, and
 * of what they were called where they came from.
 */
export async function readKnownTexts(store: Store, project: string): Promise<Set<string>> {
  const known = new Set<string>()
  const madeAt = new Map<number, number>()
  for await (const record of store.transfer.records(project)) {
    // Memories come first, then what they said before.
    if (record.type !== 'memory' && record.type !== 'version') break
    known.add(nameOfText(record.text)).add(nameOfMemory(record))
    if (record.type === 'version') {
      const createdAt = madeAt.get(record.memoryId)
      if (createdAt !== undefined) known.add(nameOfMemory({ ...record, createdAt }))
      continue
    }
    if (record.editedAt !== undefined) madeAt.set(record.id, record.createdAt)
    const origin = record.circumstances?.origin
    if (origin != null) known.add(nameOfOrigin(origin))
  }
  return known
}
