/**
 * Memories that several callers keep at once, written in one transaction: while one is under way the next ones gather. Each is
 * acknowledged after COMMIT and not before. Knows who waits for what; `keeping.ts` writes the memories.
 */
import type { AddedMemory } from '../store.ts'
import type { Database } from './connection.ts'
import { isRefusal } from './faults.ts'
import { finishMemories, type Insertion, insertMemories, modelName, sendMemories } from './keeping.ts'

/** Transactions of gathered memories at a time: one is written while another is on its way. */
const maxAtOnce = 2

/** Memories in one transaction; more of one caller are written apart. */
const maxTogether = 64

interface Waiting {
  readonly project: string
  readonly insertions: readonly Insertion[]
  readonly resolve: (kept: AddedMemory[]) => void
  readonly reject: (reason: unknown) => void
}

/** Those whose memories one statement can keep. */
interface Group {
  readonly project: string
  readonly members: Waiting[]
}

/** By project and model. */
function toGroups(batch: readonly Waiting[]): Group[] {
  const groups = new Map<string, Group>()
  for (const one of batch) {
    const name = JSON.stringify([one.project, ...new Set(one.insertions.map(modelName))])
    const group = groups.get(name) ?? { project: one.project, members: [] }
    group.members.push(one)
    groups.set(name, group)
  }
  return [...groups.values()]
}

/** Keeps memories of any project, together with what others keep at the same moment. */
export function createGathering(
  database: Database,
): (project: string, insertions: readonly Insertion[]) => Promise<AddedMemory[]> {
  const waiting: Waiting[] = []
  let running = 0

  const keepAlone = (project: string, insertions: readonly Insertion[]): Promise<AddedMemory[]> =>
    database.write(project, (transaction) => insertMemories(transaction, insertions), { makes: true })

  const keepTogether = (groups: readonly Group[]): Promise<[Waiting, AddedMemory[]][]> =>
    database.writeEach(new Set(groups.map(({ project }) => project)), async (transaction, idOf) => {
      // In one order, so that two daemons never wait for each other.
      const ordered = groups
        .map((group) => ({ ...group, id: idOf(group.project) }))
        .sort((a, b) => a.id - b.id)
      const sent = await Promise.all(
        ordered.map(async ({ id, members }) => {
          const insertions = members.flatMap((one) => one.insertions)
          const [, own] = await Promise.all([transaction.enter(id), sendMemories(transaction, insertions)])
          return { id, members, own }
        }),
      )
      const kept: [Waiting, AddedMemory[]][] = []
      for (const { id, members, own } of sent) {
        if (own.unfinished) await transaction.enter(id)
        const all = await finishMemories(transaction, own)
        for (const one of members) kept.push([one, all.splice(0, one.insertions.length)])
      }
      return kept
    })

  const keep = async (batch: readonly Waiting[]): Promise<void> => {
    const [first, ...others] = batch
    if (first === undefined) return
    const alone = (one: Waiting) => keepAlone(one.project, one.insertions).then(one.resolve, one.reject)
    if (others.length === 0) return alone(first)
    try {
      for (const [one, kept] of await keepTogether(toGroups(batch))) one.resolve(kept)
    } catch (error) {
      // What the database does not take from one of them is no matter of the others.
      if (isRefusal(error)) await Promise.all(batch.map(alone))
      else for (const one of batch) one.reject(error)
    }
  }

  const go = (): void => {
    if (running >= maxAtOnce || waiting.length === 0) return
    let size = 0
    const taken = waiting.findIndex((one) => {
      size += one.insertions.length
      return size > maxTogether
    })
    running += 1
    void keep(waiting.splice(0, taken < 0 ? waiting.length : Math.max(1, taken))).finally(() => {
      running -= 1
      go()
    })
  }

  return (project, insertions) =>
    insertions.length > maxTogether
      ? keepAlone(project, insertions)
      : new Promise((resolve, reject) => {
          waiting.push({ project, insertions, resolve, reject })
          go()
        })
}
