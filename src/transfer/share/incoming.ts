/** What new files of a shared folder tell, by what it is told of. Reads files; changes nothing. */
import { addTo } from '../../core/lists.ts'
import type { SharedFolder } from './folder.ts'
import { isEvent, type SharedEvent, type SharedItem, type SharedRoot, toFile } from './items.ts'
import type { KnownFiles } from './known-files.ts'
import { Acts, type NamedEvent } from './new-records.ts'
import { readItems } from './read-items.ts'

/** Where new files are looked for. */
interface Reading {
  readonly folder: SharedFolder
  readonly known: KnownFiles
  readonly signal: AbortSignal
}

/** Files that are new to this brain. */
export class Incoming {
  readonly roots = new Map<string, SharedRoot>()
  readonly #events = new Map<string, NamedEvent[]>()
  /** Texts of memories that were merged, by the name of the one that they live on in. */
  readonly #folded = new Map<string, NamedEvent[]>()
  readonly refused: { name: string; why: string }[] = []

  refuse(name: string, why: string): void {
    this.refused.push({ name, why })
  }

  take(name: string, item: SharedItem): void {
    if (!isEvent(item)) {
      this.roots.set(name, item)
      return
    }
    addTo(this.#events, item.of, { name, event: item })
  }

  readonly actsOf = (name: string): Acts =>
    new Acts([...(this.#events.get(name) ?? []), ...(this.#folded.get(name) ?? [])])

  /** What new files tell of merges. */
  merges(): SharedEvent<'merge'>[] {
    return [...this.#events.keys()].flatMap((name) =>
      this.actsOf(name)
        .of('merge')
        .map(({ event }) => event),
    )
  }

  /** Lets all that a memory said be said of the one in which it lives on. */
  fold(name: string, into: string): void {
    const root = this.roots.get(name)
    const versions = this.actsOf(name).of('version')
    const all = [...(root?.type === 'memory' ? [root] : []), ...versions.map(({ event }) => event.said)]
    for (const { text, caution, agent, createdAt } of all) {
      const event = { type: 'version', of: into, said: { text, caution, agent, createdAt } } as const
      addTo(this.#folded, into, { name: toFile(event).name, event })
    }
  }

  /** Names of what was said of something. */
  eventsOf(name: string): readonly NamedEvent[] {
    return this.#events.get(name) ?? []
  }

  /** What was said of it, and of that. */
  *allOf(name: string): Generator<NamedEvent> {
    for (const event of this.eventsOf(name)) {
      yield event
      yield* this.eventsOf(event.name)
    }
  }
}

/** Reads those files of the folder that this brain has had nothing to do with. */
export async function readIncoming(
  { folder, known, signal }: Reading,
  there: ReadonlySet<string>,
): Promise<Incoming> {
  const incoming = new Incoming()
  function* unknown(): Generator<string> {
    for (const name of there) {
      signal.throwIfAborted()
      if (!known.has(name)) yield name
    }
  }
  const refuse = (name: string, why: string): void => incoming.refuse(name, why)
  for await (const [name, item] of readItems(folder, unknown(), refuse)) incoming.take(name, item)
  return incoming
}
