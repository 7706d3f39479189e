/** Evidence: one observation for or against a belief. */
import * as z from 'zod/mini'
import { ratesOf } from '../config/config.ts'
import { ownedRefusals } from '../core/access.ts'
import { weighEvidence } from '../core/beliefs.ts'
import { beliefStatuses, evidenceKinds } from '../core/records.ts'
import { boundariesOf } from '../core/sprt.ts'
import { circumstancesOf } from './circumstances.ts'
import { cites, stampCites } from './citations.ts'
import { type Context, defineOperation, type InputOf } from './operation.ts'
import { about, boundaries, flagged, id, name, number, oneOf, optional, recordId, text } from './schemas.ts'
import { verdictMembers, verdictsOn } from './verdict-wire.ts'

/** The effect of evidence on a belief, however it arrived. */
export const weighed = () =>
  z.object({
    evidence_id: recordId(),
    belief_id: recordId(),
    kind: z.enum(evidenceKinds),
    strength: z.number(),
    log_likelihood: z.number(),
    new_log_ratio: z.number(),
    new_confidence: z.number(),
    confidence_delta: z.number(),
    status: z.enum(beliefStatuses),
    boundaries: boundaries(),
    /** Id of the evidence of the same source that it repeats, so that it has no weight. */
    repeats: z.exactOptional(recordId()),
    ...verdictMembers,
  })

type Weighed = z.output<ReturnType<typeof weighed>>

/** Members that state an observation's origin. */
export const sourceMembers = {
  source: about('Test or log it comes from', optional(name())),
  independent: about('Counts anyway', optional(flagged())),
}

/** Errors of evidence, however it arrived. */
export const evidenceErrors = {
  refused: [
    ...ownedRefusals('belief'),
    'belief X is superseded',
    'this run was counted already, as evidence Y',
  ],
}

/** One observation of a belief. */
const members = {
  belief_id: about('Id of the belief', id()),
  kind: about('Whether it is for or against', oneOf(evidenceKinds)),
  strength: about('Strength: 0.1 a hint, 0.9 nearly conclusive', number(0.1, 0.9)),
  note: about('What was observed', optional(text(), null)),
  ...sourceMembers,
  run: about('Identifies the run it comes from: no run counts twice', optional(name())),
  cites: cites(),
}

/** Evaluates one observation and returns the resulting verdict. @throws BrainError `refused` as `weighEvidence`. */
export async function addEvidence(context: Context, input: InputOf<typeof members>): Promise<Weighed> {
  const id = input.belief_id
  const rates = ratesOf(context.config)
  const source = input.source?.trim()
  const run = input.run?.trim()
  const observed = {
    kind: input.kind,
    strength: input.strength,
    note: input.note ?? null,
    createdAt: context.now(),
    ...(source !== undefined && { source }),
  }
  const independent = input.independent ?? false
  const cited = await stampCites(context, input.cites)
  const kept = { circumstances: circumstancesOf(context), ...cited, ...(run !== undefined && { run }) }
  let repeats: number | undefined
  const asked = { id, run, ...(source !== undefined && { source: { name: source, at: observed.createdAt } }) }
  const { before, after, event } = await context.store.beliefs.amend(
    context.project,
    asked,
    (belief, known) => {
      const amendment = weighEvidence(belief, id, { observed, rates, known, independent })
      repeats = amendment.event.logLikelihood === 0 ? known.sameSource?.id : undefined
      return { ...amendment, ...kept }
    },
  )
  const verdictOn = await verdictsOn(context, [after.id])
  return {
    evidence_id: event.id,
    belief_id: after.id,
    kind: event.kind,
    strength: event.strength,
    log_likelihood: event.logLikelihood,
    new_log_ratio: after.logRatio,
    new_confidence: after.confidence,
    confidence_delta: after.confidence - before.confidence,
    status: after.status,
    boundaries: boundariesOf(rates),
    ...(repeats !== undefined && { repeats }),
    ...verdictOn(after.id),
  }
}

export const evidence = defineOperation({
  name: 'evidence',
  summary: 'Record one observation for or against a belief and update it by a sequential test.',
  guidance:
    'Call when a test, metric or incident bears on a belief: 0.2 a hint, 0.5 a good sign, 0.9 near proof.',
  help: {
    group: 'Beliefs',
    place: 2,
    examples: [
      'brain evidence 3 --supporting --strength 0.6 --note "p95 fell after warming it"',
      'brain evidence 3 --refuting --strength 0.3 --source "nightly load test"',
      'brain evidence 3 --from reports/junit.xml --test "cache*warm"',
      'brain evidence 3 --watch-exit -- npm test',
    ],
  },
  errors: evidenceErrors,
  members,
  unlisted: ['independent', 'run', 'cites', 'repeats', 'verdict', 'caveats'],
  output: weighed,
  route: { method: 'POST', path: '/v1/evidence' },
  effect: 'write',
  tool: true,
  command: {
    positional: ['belief_id'],
    flags: { kind: evidenceKinds },
    names: { cites: 'cite' },
    supplied: { strength: 'what --from or --watch-exit tells' },
    options: [
      ['--from <file>', 'use a test report: JUnit XML, TAP, CTRF or SARIF'],
      ['--test <pattern>', 'only tests in the report whose names match; * stands for anything'],
      ['--watch-exit', 'run the command after -- and use its exit code: 0 supports, anything else refutes'],
    ],
    rest: ['command', 'with --watch-exit, a command and its arguments after --'],
  },
  // An observation that names no source is answered as the specification has it, to the member.
  run: async (context, input): Promise<Weighed> => {
    const { verdict, caveats, ...output } = await addEvidence(context, input)
    if (input.source == null) return output
    return { ...output, ...(verdict && { verdict }), ...(caveats && { caveats }) }
  },
  forPeople: addEvidence,
})
