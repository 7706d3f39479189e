/**
 * The model of the night: how a newer note stands to an older one that says nothing of it. Knows probabilities; what is
 * told of them is for dreams.
 */
import { dirname, join } from 'node:path'
import { builtinDirectory } from './builtin-model.ts'
import type { Encoder } from './encoder.ts'
import { width } from './layer-layout.ts'
import { Head, PairReader } from './pair-reader.ts'
import { openModelFile } from './prepared-files.ts'

export const standings = [
  'none',
  'contradicts',
  'reverses',
  'breaks',
  'ignores',
  'collides',
  'asks',
  'answers',
  'unkept',
  'kept',
  'same',
  'measures',
  'again',
  'causes',
] as const
/**
 * What the newer note does: contradicts the older one, does otherwise than it decided, breaks its rule, ignores its
 * wish, meets its plan on a day that has room for one, asks its question again or answers it, shows that its promise was
 * not kept or was, says the same, gives another value of the same measure, tells the same trouble or event again, tells
 * of what the older one's change may have caused. Probabilities, 0..1, that sum to 1.
 */
export type Standing = Readonly<Record<(typeof standings)[number], number>>

/** What a note may do in a diary. */
export const roles = [
  ...(['other', 'rule', 'wish', 'decision', 'fact', 'breaks', 'ignores', 'reverses', 'contradicts'] as const),
  ...(['question', 'promise', 'unkept', 'absence', 'plan', 'change', 'trouble', 'measure'] as const),
] as const
export type Role = (typeof roles)[number]

/**
 * What one note does: states a rule, a wish, a decision or a fact; does what may go against an earlier one; asks, promises,
 * shows something undone, tells of an absence, a plan, a change, trouble or a measured value; or nothing of these.
 * Probabilities, 0..1, that sum to 1.
 */
export type Roles = Readonly<Record<Role, number>>

/** Where the package has the model, beside the encoder. */
export const nightModelDirectory = (): string => join(dirname(builtinDirectory()), 'brain-night-v1')

/** The package's model. @throws BrainError `failed` when it is missing or of another shape. */
export const openNightModel = (encoder: Encoder): NightModel => new NightModel(nightModelDirectory(), encoder)

export class NightModel {
  readonly #reader: PairReader
  readonly #head: Head
  readonly #roleHead: Head
  /** Whose vectors `rolesOf` takes. */
  readonly encoder: Encoder

  /** Reads the model of a directory. @throws BrainError `failed` when it is missing or of another shape. */
  constructor(directory: string, encoder: Encoder) {
    const { file } = openModelFile(directory)
    this.encoder = encoder
    try {
      this.#reader = new PairReader(file, encoder)
      this.#head = new Head(file, 'head.night', standings.length)
      this.#roleHead = new Head(file, 'head.role', roles.length, 2 * width)
    } finally {
      file.close()
    }
  }

  /** How a newer note stands to an older one. */
  stand(older: string, newer: string): Standing {
    return named(standings, this.#head.probabilities(this.#reader.after(older)(newer)))
  }

  /** What a note does, by its vector, where that is the encoder's, and by what the reader makes of it alone. */
  rolesOf(text: string, vector: Float32Array = this.encoder.embed(text)): Roles {
    const inputs = new Float32Array(2 * width)
    inputs.set(vector)
    // Nothing but its end follows the note: that one's last state is of the note alone.
    inputs.set(this.#reader.after(text)(''), width)
    return named(roles, this.#roleHead.probabilities(inputs))
  }
}

/** The probabilities of a head by the names of its outputs: every one, and no other. */
const named = <Name extends string>(
  names: readonly Name[],
  probabilities: Float64Array,
): Readonly<Record<Name, number>> =>
  Object.fromEntries(names.map((name, at) => [name, probabilities[at] ?? 0])) as Record<Name, number>
