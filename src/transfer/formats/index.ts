/** The formats of other tools that an import reads. A further one is a file here and a line in this list. */
import { beads } from './beads.ts'
import { claudeMem } from './claude-mem.ts'
import { codexMemories } from './codex-memories.ts'
import { cursor } from './cursor.ts'
import { engram } from './engram.ts'
import type { ForeignFile, ForeignFormat } from './foreign-note.ts'
import { markdown } from './markdown.ts'
import { mem0 } from './mem0.ts'
import { memoryJson } from './memory-json.ts'
import { memoryService } from './memory-service.ts'
import { paragraphed } from './paragraphs.ts'
import { qmd } from './qmd.ts'
import { transcript } from './transcript.ts'

/** Formats recognised by their content come before those recognised by their name. */
export const foreignFormats: readonly ForeignFormat[] = [
  transcript,
  memoryJson,
  mem0,
  memoryService,
  claudeMem,
  engram,
  qmd,
  beads,
  codexMemories,
  cursor,
  markdown,
  paragraphed,
]

/** The format of a file; undefined where none is recognised. */
export const recogniseFormat = (file: ForeignFile): ForeignFormat | undefined =>
  foreignFormats.find((format) => format.recognises(file))
