/** The embedder port, and what callers may rely on. Knows vectors and their identity, nothing about storage. */
/** Names one vector space. Vectors of different identities are never compared. */
export interface ModelIdentity {
  /** As in the configuration: `builtin`, `fastembed:bge-small-en-v1.5`, `http:MODEL`. */
  readonly name: string
  /** Content hash of the model (hex), or of endpoint and model name where the weights are not ours to see. */
  readonly hash: string
  readonly dimension: number
}

/** One piece of a text, short enough for the model's window, with its unit vector. */
export interface Passage {
  /** Offsets into the text, UTF-16 code units, end exclusive. */
  readonly start: number
  readonly end: number
  /** L2-normalised, finite, of the model's dimension. */
  readonly vector: Float32Array
  /** Word-piece ids of the built-in vocabulary (below 65,536), for token-level matching; empty when unknown. */
  readonly tokens: Uint16Array
}

export interface Embedder {
  readonly identity: ModelIdentity
  /**
   * Splits each text into overlapping passages and embeds them; one array of passages per text, in order.
   * @throws BrainError `failed` with the reason when the model or endpoint does not answer in time.
   */
  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<Passage[][]>
  /** The vector and word pieces of a query. @throws BrainError `failed`. */
  embedQuery(query: string, signal?: AbortSignal): Promise<Passage>
  close(): Promise<void>
}
