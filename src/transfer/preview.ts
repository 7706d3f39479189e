/** What an import of our own lines would take in: each is read and checked as by the import, and nothing is written. */
import type { ImportOptions } from './import.ts'
import { nameOfMemory, nameOfOrigin, nameOfText, readKnownTexts } from './known-texts.ts'
import { LineReader, type Read } from './line-reader.ts'
import { readLines } from './lines.ts'

/** A record that would be imported, and where it stands. */
interface Previewed extends Read {
  readonly line: number
  /** Whether it is a memory that is here already; of other kinds this is told by the import alone. */
  readonly known: boolean
  /** Whether that has another text, and is known by what it is called where it comes from. */
  readonly differs: boolean
}

function isHere({ record, timed }: Read, names: ReadonlySet<string>): boolean {
  if (record.type !== 'memory') return false
  const origin = record.circumstances?.origin
  return (
    (!timed && names.has(nameOfText(record.text))) ||
    (origin != null && names.has(nameOfOrigin(origin))) ||
    names.has(nameOfMemory(record))
  )
}

export async function* previewRecords({
  context: { store, project, agent, now },
  source,
  format,
  projectNamed,
  signal,
}: Pick<ImportOptions, 'context' | 'source' | 'format' | 'projectNamed' | 'signal'>): AsyncGenerator<
  Previewed,
  void,
  undefined
> {
  const reader = new LineReader({ format, project, projectNamed, agent, name: source.name })
  const names = new Map<string, ReadonlySet<string>>()
  for await (const lines of readLines(source.open(signal))) {
    signal.throwIfAborted()
    for (const line of lines) {
      const read = reader.read(line, now())
      if (read === undefined) continue
      const here = names.get(read.project) ?? (await readKnownTexts(store, read.project))
      names.set(read.project, here)
      const known = isHere(read, here)
      const { record } = read
      const differs = known && record.type === 'memory' && !here.has(nameOfText(record.text))
      yield { ...read, line: line.number, known, differs }
    }
  }
  reader.end()
}
