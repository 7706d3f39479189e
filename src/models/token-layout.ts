/**
 * Where things lie in the memory of a token table, in bytes: the same places for every model, so that the kernel over
 * it is one program. What is never touched takes no memory. A row has a number by its place here, from 1 on, which is
 * not its piece's id: rows lie in the order in which they were read.
 */

/** Pieces that are matched at once. */
export const mostMatched = 64
/** Ids that one call takes. */
export const mostIds = 1024
export const mostRows = 65_535
const rowNumbers = mostRows + 1
export const mostDimensions = 1024
/** Components of a row that are compared at a time. */
export const findStep = 8

const floatBytes = 4
const cosineBytes = 1 << 20
let end = 0

function take(bytes: number): number {
  const start = end
  end += Math.ceil(bytes / 16) * 16
  return start
}

/** float32, one a piece by its id: the rows' scales as the file has them. */
export const fileScales = take(mostRows * floatBytes)
/** uint16, one a piece by its id: the number of its row, 0 while that is not here. */
export const numbers = take(rowNumbers * 2)
/** uint16: ids of the rows that are to be taken from the window. */
export const wanted = take(mostRows * 2)
/** float32, one a row. */
export const scales = take(rowNumbers * floatBytes)
/** float32, one a row: 1 over its length, 0 while that is not known. */
export const lengths = take(rowNumbers * floatBytes)
/** uint32, one a row: where its cosines with the matched pieces are, 0 while they are not computed. */
export const places = take(rowNumbers * 4)
/** The matched pieces' rows as int16, four at a time: eight components of each, then the next eight. */
export const matched = take(mostMatched * mostDimensions * 2)
/** float32, one a matched piece: 1 over its row's length, 0 without meaning. */
export const inverses = take(mostMatched * floatBytes)
/** uint16: the rows at hand, by their numbers. */
export const atHand = take(mostIds * 2)
/** float32: the best cosines. */
export const out = take(mostMatched * floatBytes)
/** float32: the vector that texts are compared with, or that a sum becomes. */
export const vector = take(mostDimensions * floatBytes)
/** uint32: where the next row's cosines go. */
export const free = take(4)
/** float32: cosines of a row with the matched pieces, a place for each row met. */
export const cosines = take(cosineBytes)
/** From here on a place is used for one row after the other. */
export const lastPlace = end - mostMatched * floatBytes
/** int8: rows as they lie in the file, while some of them are taken from it. */
export const windowBytes = 1 << 18
export const window = take(windowBytes)
/** int8: the rows, by their numbers. */
export const table = end

/** Where the matched piece number `piece` begins. */
export const matchedPlace = (piece: number, dimension: number): number =>
  matched + 2 * (Math.floor(piece / 4) * 4 * dimension + (piece % 4) * findStep)
