/**
 * Where things lie in the memory of a table of word rows, in bytes: the same places for every model, so that the kernel
 * over it is one program. Plain constants, read by AssemblyScript and TypeScript alike. What is never touched takes no
 * memory. A row has a number by its place here, from 1 on, which is not its piece's id: rows lie in the order in which
 * they were read.
 */

/** Pieces that are matched at once. */
export const maxMatched = 64
/** Ids that one call takes. */
export const maxIds = 1024
export const maxRows = 65_535
export const maxDimension = 1024
/** Components of a row that are compared at a time. */
export const findStep = 8

/** float32, one a piece by its id: the rows' scales as the file has them. */
export const fileScales = 0
/** uint16, one a piece by its id: the number of its row, 0 while that is not here. */
export const numbers = 262_144
/** uint16: ids of the rows that are to be taken from the window. */
export const wanted = 393_216
/** float32, one a row. */
export const scales = 524_288
/** float32, one a row: 1 over the length of what is left of it without the mean, 0 while that is not known. */
export const lengths = 786_432
/** float32, one a row: its product with the mean. */
export const shares = 1_048_576
/** uint32, one a row: where its cosines with the matched pieces are, 0 while they are not computed. */
export const places = 1_310_720
/** The matched pieces' rows as int16, four at a time: eight components of each, then the next eight. */
export const matched = 1_572_864
/** float32, one a matched piece: 1 over its length, 0 without meaning; its scale; its product with the mean. */
export const matchedLengths = 1_703_936
export const matchedScales = 1_704_192
export const matchedShares = 1_704_448
/** uint16: the rows at hand, by their numbers. */
export const atHand = 1_704_704
/** float32: the best cosines. */
export const out = 1_706_752
/** float32: the mean row, and its product with itself. */
export const mean = 1_707_008
export const meanSquare = 1_711_104
/** uint32: where the next row's cosines go. */
export const free = 1_711_120
/** float32: cosines of a row with the matched pieces, a place for each row met. */
export const cosines = 1_711_136
/** From here on a place is used for one row after the other. */
export const lastPlace = 2_759_456
/** int8: rows as they lie in the file, while some of them are taken from it. */
export const window = 2_759_712
export const windowBytes = 262_144
/** int8: the rows, by their numbers. */
export const table = 3_021_856
