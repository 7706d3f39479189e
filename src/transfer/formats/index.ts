/** The formats of other tools that an import reads. A further one is a file here and a line in this list. */
import type { ForeignFile, ForeignFormat } from './foreign-note.ts'
import { beads, mem0, memoryJson, memoryService } from './json-stores.ts'
import { markdown } from './markdown.ts'
import { transcript } from './transcript.ts'

/** Those that are told by their content come before Markdown, which is told by its name. */
export const foreignFormats: readonly ForeignFormat[] = [
  transcript,
  memoryJson,
  mem0,
  memoryService,
  beads,
  markdown,
]

/** The format of a file; undefined where none is recognised. */
export const recogniseFormat = (file: ForeignFile): ForeignFormat | undefined =>
  foreignFormats.find((format) => format.recognises(file))
