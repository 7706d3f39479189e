/** The shape of a text's numbers in the transformer's kernel, which says how they lie. */

/** Components of a row. */
export const width: usize = 384
/** Four rows of float32. */
export const blockBytes: usize = width * 16
