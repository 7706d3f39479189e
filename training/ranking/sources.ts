/** What fitting needs of the product, bundled together by `bench/source.js`. */
export { Encoder } from '../../src/models/encoder.ts'
export { embedNotes } from '../../src/models/neutral-notes.ts'
export { gather } from '../../src/search/gather.ts'
export { order } from '../../src/search/rerank.ts'
export { score, scoreInputs } from '../../src/search/score.ts'
export { blendWeights, scoreModels } from '../../src/search/weights.ts'
export { openSqliteStore } from '../../src/store/sqlite/store.ts'
export { dated, diary, misspelt, today } from '../../test/search/diary.ts'
