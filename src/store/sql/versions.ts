/** Earlier texts of memories. */
import type { MemoryVersion } from '../../core/records.ts'
import { fromVersion } from '../rows/memories.ts'
import type { Session, Steps } from './session.ts'

/** An earlier text of a memory, inside a write. Returns its id: the one given, or the next. */
export const insertVersion = (
  session: Session,
  { id, memoryId, ...version }: MemoryVersion & { readonly id?: number; readonly memoryId: number },
): Steps<number> =>
  session.insert('memory_version', { id, row: { memory_id: memoryId, ...fromVersion(version) } })
