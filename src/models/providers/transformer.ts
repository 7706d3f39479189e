/**
 * A transformer in ONNX with its tokenizer, run by the libraries that npm fastembed brings, in a process next to
 * this one. Used instead of fastembed's own `embed`, which pads every text to the longest that the model can
 * read and takes the first token's vector whatever the model. Knows batches and vectors; where models come from
 * is not its matter.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { BrainError } from '../../core/errors.ts'
import { normalise } from '../vectors.ts'

export interface TransformerOptions {
  readonly directory: string
  readonly modelFile: string
  readonly pooling: 'first' | 'mean'
  /** Most tokens of a text, special ones included; the rest is cut off. */
  readonly window: number
}

/** Padded tokens of one run: more make a text no cheaper, and one caller waits for another's run. */
const batchTokens = 2048
const batchRows = 64

/** Texts of like length together, so that little is padded; each batch lists places in `lengths`. */
export function toBatches(lengths: readonly number[]): number[][] {
  const places = [...lengths.keys()].sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0))
  const batches: number[][] = []
  let batch: number[] = []
  for (const place of places) {
    const width = lengths[place] ?? 0
    if (batch.length === batchRows || (batch.length > 0 && (batch.length + 1) * width > batchTokens)) {
      batches.push(batch)
      batch = []
    }
    batch.push(place)
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

const runFailed = (why: string): BrainError =>
  new BrainError('failed', `the model does not run: ${why}; install it again with brain model use`)

export class Transformer {
  readonly #settings: string
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | undefined
  #asked = 0
  #closed = false

  /** A model to be run on first use, when what is wrong with it shows; `runtime` is the path of fastembed. */
  constructor({ directory, modelFile, pooling, window }: TransformerOptions, runtime: string) {
    this.#settings = JSON.stringify({ runtime, directory, modelFile, pooling, window })
  }

  /** How many tokens the model makes of each text, special ones included. */
  async count(texts: readonly string[]): Promise<number[]> {
    const counts = await this.#ask('count', texts)
    if (!Array.isArray(counts)) throw runFailed('it counts no tokens')
    return counts.map(Number)
  }

  /**
   * One unit vector a text, in order; `lengths` are the texts' tokens.
   * @throws BrainError `failed` when the model does not run or gives no direction.
   */
  async embed(
    texts: readonly string[],
    lengths: readonly number[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const vectors = new Array<Float32Array>(texts.length)
    for (const batch of toBatches(lengths)) {
      signal?.throwIfAborted()
      const answer = await this.#ask(
        'embed',
        batch.map((place) => texts[place] ?? ''),
      )
      const results: unknown[] = Array.isArray(answer) ? answer : []
      for (const [at, place] of batch.entries()) {
        const vector = results[at]
        if (!(vector instanceof Float32Array) || !normalise(vector)) {
          throw runFailed('it gave a vector that is zero or not finite')
        }
        vectors[place] = vector
      }
    }
    return vectors
  }

  async close(): Promise<void> {
    this.#closed = true
    const child = this.#child
    if (!child) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.ref()
    child.kill('SIGKILL')
    await gone
  }

  /** Starts the process, again where an earlier one has ended. */
  #start(): ChildProcess {
    const program = fileURLToPath(new URL('./transformer-process.js', import.meta.url))
    const child = fork(program, [this.#settings], {
      execArgv: [],
      serialization: 'advanced',
      // Its libraries write to standard output as they like; ours carries data.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const end = (why: string) => {
      if (this.#child !== child) return
      this.#child = undefined
      for (const { reject } of this.#waiting.values()) reject(runFailed(why))
      this.#waiting.clear()
    }
    child.on('message', (message) => this.#receive(message))
    child.on('error', (error) => end(error.message))
    child.on('exit', (code, signal) => end(`its process ended (${signal ?? code})`))
    this.#child = child
    return child
  }

  #ask(question: 'count' | 'embed', texts: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(runFailed('it is already closed'))
      const id = this.#asked++
      this.#waiting.set(id, { resolve, reject })
      const child = this.#child ?? this.#start()
      // A question under way holds this process open; a model at rest does not.
      child.ref()
      child.channel?.ref()
      // A channel that breaks ends the process, and its end answers the question.
      child.send({ id, question, texts }, () => {})
    })
  }

  #receive(message: unknown): void {
    const { id, answer, error } = { id: undefined, answer: undefined, error: undefined, ...Object(message) }
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) {
      this.#child?.unref()
      this.#child?.channel?.unref()
    }
    if (error === undefined) waiting?.resolve(answer)
    else waiting?.reject(runFailed(String(error)))
  }
}
