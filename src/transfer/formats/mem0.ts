/** mem0: an array, or the answer of its API, with the sentence in `memory`. */

import { memberOf } from '../../core/json.ts'
import {
  type ForeignFormat,
  jsonFiles,
  readTime,
  recordsIn,
  someRecord,
  textOf,
  textsOf,
} from './foreign-note.ts'

const members = ['results', 'memories']

export const mem0: ForeignFormat = {
  name: 'mem0',
  about: 'mem0: an array of memories, or the answer of its API (v1, v2)',
  files: [jsonFiles],
  recognises: (file) =>
    someRecord(
      file,
      members,
      (one) => textOf(one, 'memory') !== undefined && textOf(one, 'id') !== undefined,
    ),
  *read(file) {
    for (const one of recordsIn(file.values(), ...members)) {
      const text = textOf(one, 'memory')
      if (text === undefined) continue
      const id = textOf(one, 'id')
      yield {
        text,
        // The same memory is another note when it was rewritten.
        id: id && `${id} ${textOf(one, 'updated_at') ?? ''}`.trim(),
        tags: textsOf(memberOf(one, 'categories')),
        createdAt: readTime(memberOf(one, 'created_at')) ?? readTime(memberOf(one, 'updated_at')),
        origin: `${file.path}: ${id ?? ''}`,
      }
    }
  },
}
