/** Which files an export may take the place of: its own earlier ones. Knows how each form of an export begins. */
import { requireReplaceable } from '../config/output-files.ts'
import { ownEntityTypes } from './formats/memory-json.ts'
import { isCsvHead } from './readable/csv.ts'

const entityTypes = Object.values(ownEntityTypes).join('|')

const beginnings: readonly RegExp[] = [
  /^\{"type":"brain","format":\d/,
  new RegExp(`^\\{"type":"entity","name":"(?:[^"\\\\]|\\\\.)*","entityType":"(?:${entityTypes})"`),
  // Fatebook's, PredictionBook's and Metaculus' two, without predictions, too.
  /^Question title,Multiple choice option,Forecast created by,/,
  /^\{\n {2}"predictions": \[/,
  /^Question ID(?:,Question Title,Default Project,|,Forecaster ID,Forecaster Username,|\s*$)/,
]

const isExport = (beginning: string): boolean =>
  isCsvHead(beginning.replace(/^\ufeff/, '')) || beginnings.some((form) => form.test(beginning))

/** @throws BrainError `refused` where the file is neither empty nor an export. */
export const requireReplaceableExport = (file: string): void => requireReplaceable(file, isExport, 'export')
