/**
 * A few ordinary memories of each project, spread over its history: what unrelated memories look like. Drawn once by an
 * adapter, and kept while the project has about as many memories, for a process that lives.
 */

/** A project that grew or shrank by more than this share is sampled again. */
const tolerance = 0.1

/** Samples kept at a time, those of the projects asked for last. */
const maxKept = 256

/** What a sample is of. */
export interface Sampling {
  readonly projectId: number
  readonly modelId: number
  /** Of the project. */
  readonly memories: number
  /** Memories wanted. */
  readonly size: number
}

const nameOf = ({ projectId, modelId, size }: Sampling): string => `${projectId} ${modelId} ${size}`

export class KeptSamples<Passage> {
  /** The one asked for longest ago first. */
  readonly #kept = new Map<string, { readonly memories: number; readonly passages: readonly Passage[] }>()

  /** The first passages of a sample that still holds; undefined where one has to be drawn. */
  find(sampling: Sampling): readonly Passage[] | undefined {
    const name = nameOf(sampling)
    const known = this.#kept.get(name)
    if (known === undefined) return undefined
    if (Math.abs(known.memories - sampling.memories) > tolerance * known.memories) return undefined
    this.#kept.delete(name)
    this.#kept.set(name, known)
    return known.passages
  }

  /** Keeps a sample that was drawn; returns its passages. */
  keep(sampling: Sampling, passages: readonly Passage[]): readonly Passage[] {
    const name = nameOf(sampling)
    this.#kept.delete(name)
    this.#kept.set(name, { memories: sampling.memories, passages })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break
      this.#kept.delete(oldest)
    }
    return passages
  }
}
