/** Evidence_from: a test run as evidence for a belief, read from its report. */
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { BrainError } from '../core/errors.ts'
import { maxTextBytes } from '../core/limits.ts'
import { maxReportBytes, readReport } from '../runs/index.ts'
import { identityOf, sourceOf, strengthOf, verdictOn } from '../runs/report.ts'
import { cites } from './citations.ts'
import { addEvidence, evidenceErrors, sourceMembers, weighed } from './evidence.ts'
import { defineOperation, type InputOf } from './operation.ts'
import { about, id, number, optional, text } from './schemas.ts'

/** Default strength: a test run is a good sign but no proof, since it does not test everything. */
export const runStrength = 0.5

const members = {
  belief_id: about('Id of the belief', id()),
  report: about(
    'The report itself: JUnit XML, TAP, CTRF or SARIF',
    text({ bytes: maxReportBytes, nul: true }),
  ),
  test: about('Only tests whose names match; * stands for anything', optional(text())),
  strength: about(
    'How telling the run is: 0.1 a hint, 0.9 nearly conclusive',
    optional(number(0.1, 0.9), runStrength),
  ),
  note: about('What was tested', optional(text(), null)),
  ...sourceMembers,
  cites: cites(),
}

/** A report and its options. */
type ReportedTest = Omit<InputOf<typeof members>, 'belief_id'>

/** The observation in a report, which may have been read from a `file`. @throws BrainError `invalid` if it contains none. */
export function observe({ report: text, test, strength, note: given, source }: ReportedTest, file?: string) {
  const pattern = test?.trim() || undefined
  const report = readReport(text)
  const verdict = verdictOn(report, pattern)
  const note = given == null ? verdict.summary : `${given}\n${verdict.summary}`
  if (Buffer.byteLength(note) > maxTextBytes)
    throw new BrainError('invalid', `note must be at most ${maxTextBytes} bytes`)
  return {
    kind: verdict.kind,
    strength: strengthOf(strength ?? runStrength, verdict),
    note,
    source: source ?? sourceOf(report, file),
    run: identityOf(report, () => createHash('sha256').update(text.trim()).digest('hex')),
  }
}

export const evidenceFrom = defineOperation({
  name: 'evidence_from',
  summary: 'Use a test run as evidence: a pass supports the belief, a failure refutes it.',
  guidance: 'A run counts once; a pass that failed before it passed counts half.',
  help: {
    group: 'Beliefs',
    place: 3,
    examples: ['brain evidence-from 3 - --test "cache*warm" < reports/junit.xml'],
  },
  errors: evidenceErrors,
  members,
  output: () => z.extend(weighed(), { note: z.string(), source: z.string() }),
  route: { method: 'POST', path: '/v1/evidence_from' },
  effect: 'write',
  tool: false,
  command: { positional: ['belief_id', 'report'], names: { cites: 'cite' } },
  run: async (context, { belief_id, independent, cites, ...told }) => {
    const observed = observe(told)
    const output = await addEvidence(context, { belief_id, independent, cites, ...observed })
    return { ...output, note: observed.note, source: observed.source }
  },
})
