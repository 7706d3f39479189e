/** Believe, revise, evidence, evidence_for, beliefs. */
import * as z from 'zod/mini'
import { ratesOf } from '../config/config.ts'
import { requireOwned } from '../core/access.ts'
import {
  assertBelief,
  assertedConfidence,
  reviseBelief,
  revisedConfidence,
  weighEvidence,
} from '../core/beliefs.ts'
import { type Belief, beliefStatuses, evidenceKinds } from '../core/records.ts'
import { boundariesOf, ratiosOf, statusOf } from '../core/sprt.ts'
import { type Context, defineOperation } from './operation.ts'
import {
  about,
  anyNumber,
  count,
  id,
  integer,
  number,
  oneOf,
  optional,
  recordId,
  text,
  timestamp,
  toTimestamp,
} from './schemas.ts'

export const believe = defineOperation({
  name: 'believe',
  summary: 'Assert a belief with a confidence that evidence will move.',
  members: {
    text: about('A claim that evidence could confirm or refute', text()),
    confidence: about('How sure, clamped to 0.05..0.95', optional(anyNumber(), assertedConfidence)),
  },
  output: () => z.object({ id: recordId(), text: z.string(), confidence: z.number() }),
  route: { method: 'POST', path: '/v1/believe' },
  effect: 'write',
  tool: true,
  command: { positional: ['text'] },
  run: async ({ store, project, now }, input) => {
    const belief = await store.beliefs.add(project, assertBelief(input.text, input.confidence ?? null, now()))
    return { id: belief.id, text: belief.text, confidence: belief.confidence }
  },
})

export const revise = defineOperation({
  name: 'revise',
  summary: 'Supersede a belief with a new text; the new belief starts its trail afresh.',
  members: {
    belief_id: about('Id of the belief to supersede', id()),
    new_text: about('The claim that takes its place', text()),
    confidence: about('How sure, clamped to 0.05..0.95', optional(anyNumber(), revisedConfidence)),
  },
  output: () => z.object({ revised_from: recordId(), new_belief_id: recordId(), text: z.string() }),
  route: { method: 'POST', path: '/v1/revise' },
  effect: 'write',
  tool: true,
  command: { positional: ['belief_id', 'new_text'] },
  run: async ({ store, project, now }, input) => {
    const claim = { id: input.belief_id, project }
    const revised = await store.beliefs.supersede(claim.id, (belief) =>
      reviseBelief(belief, claim, {
        text: input.new_text,
        confidence: input.confidence ?? null,
        createdAt: now(),
      }),
    )
    return { revised_from: revised.old.id, new_belief_id: revised.new.id, text: revised.new.text }
  },
})

const boundaries = z.object({
  promote: z.number(),
  demote: z.number(),
  alpha: z.number(),
  beta: z.number(),
})

export const evidence = defineOperation({
  name: 'evidence',
  summary: 'Record one observation for or against a belief and update it by a sequential test.',
  members: {
    belief_id: about('Id of the belief', id()),
    kind: about('Whether the observation speaks for or against it', oneOf(evidenceKinds)),
    strength: about('How telling: 0.1 a hint, 0.9 nearly conclusive', number(0.1, 0.9)),
    note: about('What was observed', optional(text(), null)),
  },
  output: () =>
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
      boundaries,
    }),
  route: { method: 'POST', path: '/v1/evidence' },
  effect: 'write',
  tool: true,
  command: { positional: ['belief_id'], flags: { kind: evidenceKinds } },
  run: async (context, input) => {
    const claim = { id: input.belief_id, project: context.project }
    const rates = ratesOf(context.config)
    const observed = {
      kind: input.kind,
      strength: input.strength,
      note: input.note ?? null,
      createdAt: context.now(),
    }
    const { before, after, event } = await context.store.beliefs.amend(claim.id, (belief) =>
      weighEvidence(belief, claim, { observed, rates }),
    )
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
    }
  },
})

const beliefMembers = {
  id: recordId(),
  text: z.string(),
  confidence: z.number(),
  sprt_log_ratio: z.number(),
  evidence_count: count(),
  sprt_status: z.enum(beliefStatuses),
  last_evidence_at: z.nullable(timestamp()),
}

const toWire = (belief: Belief, { config }: Context) => ({
  id: belief.id,
  text: belief.text,
  confidence: belief.confidence,
  sprt_log_ratio: belief.logRatio,
  evidence_count: belief.evidenceCount,
  sprt_status: statusOf(belief.logRatio, boundariesOf(ratesOf(config))),
  last_evidence_at: belief.lastEvidenceAt === null ? null : toTimestamp(belief.lastEvidenceAt),
})

export const evidenceFor = defineOperation({
  name: 'evidence_for',
  summary: 'Read the evidence trail of one belief, oldest first.',
  members: { belief_id: about('Id of the belief', id()) },
  output: () =>
    z.object({
      belief: z.object(beliefMembers),
      events: z.array(
        z.object({
          id: recordId(),
          kind: z.enum(evidenceKinds),
          strength: z.number(),
          log_likelihood: z.number(),
          note: z.nullable(z.string()),
          created_at: timestamp(),
        }),
      ),
    }),
  route: { method: 'GET', path: '/v1/evidence/:belief_id' },
  effect: 'read',
  tool: true,
  command: { positional: ['belief_id'] },
  run: async (context, { belief_id }) => {
    const { belief: found, events } = await context.store.beliefs.trail(belief_id)
    const belief = requireOwned('belief', belief_id, found, context.project)
    return {
      belief: toWire(belief, context),
      events: events.map((event) => ({
        id: event.id,
        kind: event.kind,
        strength: event.strength,
        log_likelihood: event.logLikelihood,
        note: event.note,
        created_at: toTimestamp(event.createdAt),
      })),
    }
  },
})

const listedBeliefs = 50

export const beliefs = defineOperation({
  name: 'beliefs',
  summary: 'List current beliefs, newest first.',
  members: {
    limit: about('At most so many', optional(integer(1, 100), listedBeliefs)),
    status: about('Only beliefs whose test stands so', optional(oneOf(beliefStatuses))),
  },
  output: () => z.object({ beliefs: z.array(z.object({ ...beliefMembers, created_at: timestamp() })) }),
  route: { method: 'GET', path: '/v1/beliefs' },
  effect: 'read',
  tool: false,
  command: {},
  run: async (context, { limit, status }) => {
    const listed = await context.store.beliefs.list(context.project, {
      limit: limit ?? listedBeliefs,
      ...(status && { ratios: ratiosOf(status, boundariesOf(ratesOf(context.config))) }),
    })
    return {
      beliefs: listed.map((belief) => ({
        ...toWire(belief, context),
        created_at: toTimestamp(belief.createdAt),
      })),
    }
  },
})
