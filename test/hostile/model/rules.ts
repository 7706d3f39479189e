/**
 * What each operation is to answer and to change, on the plain lists of `contents.ts`. Knows the specification's
 * sentences and numbers; how a call reaches the brain is not known here.
 */
import type { Moment } from './agree.ts'
import { type BeliefRecord, type Contents, type Kind, type Line, ratioOf, standingOf } from './contents.ts'
import { calibrationOf, clamped, demote, type Outcome, promote, weightOf, worth } from './figures.ts'
import { type Ask, checkAssessment, checkRecall, text } from './searches.ts'

/** What a call did: the id of what it made, and when. */
export interface Done {
  readonly id: number
  readonly when: Moment
  /** Only of a memory: whether it was kept with a vector. */
  readonly semantic?: boolean
}

export interface Rule {
  /** The kind of record it makes, and the member of the answer that holds its id. */
  readonly makes?: readonly [kind: Kind, member: string]
  /** The sentence it is refused with; undefined when it is not. */
  refusal?(contents: Contents, ask: Ask): string | undefined
  /** Changes the contents and gives the answer that is expected. */
  run(contents: Contents, ask: Ask, done: Done): unknown
  /** What a call whose answer was lost left in an export: the id of what it made, 0 without one, or undefined. */
  trace?(contents: Contents, ask: Ask, lines: readonly Line[]): number | undefined
}

const own = <T extends { readonly id: number; readonly project: string }>(
  records: readonly T[],
  ask: Ask,
  member: string,
): T | undefined => records.find(({ id }) => id === ask.input[member])

function ownership(kind: string, found: { project: string } | undefined, ask: Ask, member: string) {
  const id = ask.input[member]
  if (found === undefined) return `${kind} ${id} not found`
  return found.project === ask.project ? undefined : `${kind} ${id} belongs to another project`
}

const line = (lines: readonly Line[], type: string, member: string, value: unknown): number | undefined => {
  const found = lines.find((one) => one.type === type && one[member] === value)
  return found && Number(found.id ?? 0)
}

const found = <T>(record: T | undefined): T => {
  if (record === undefined) throw new Error('the model lost a record')
  return record
}

const newestFirst = (a: { id: number }, b: { id: number }): number => b.id - a.id

function remember(contents: Contents, ask: Ask, caution: number, done: Done): void {
  const { project, agent } = ask
  const semantic = done.semantic ?? true
  contents.memories.push({
    id: done.id,
    project,
    text: text(ask, 'text'),
    caution,
    agent,
    at: done.when,
    semantic,
    forgotten: false,
  })
}

const addBelief = (
  contents: Contents,
  ask: Ask,
  belief: Pick<BeliefRecord, 'id' | 'text' | 'prior' | 'at'>,
): void => {
  const { project, agent } = ask
  contents.beliefs.push({ ...belief, agent, project, events: [], supersededBy: null })
}

const beliefOnWire = (belief: BeliefRecord) => ({ id: belief.id, text: belief.text, ...standingOf(belief) })

const unread = (contents: Contents, ask: Ask) =>
  contents.dreams
    .filter(({ project, readAt }) => project === ask.project && readAt === null)
    .sort((a, b) => a.id - b.id)
    .slice(0, Number(ask.input.limit))

export const rules: Readonly<Record<string, Rule>> = {
  remember: {
    makes: ['memory', 'id'],
    run: (contents, ask, done) => {
      remember(contents, ask, 0, done)
      return { id: done.id, text: text(ask, 'text'), semantic: done.semantic ?? true }
    },
    trace: (_, ask, lines) => line(lines, 'memory', 'text', ask.input.text),
  },
  flag: {
    makes: ['memory', 'id'],
    run: (contents, ask, done) => {
      const caution = Number(ask.input.caution ?? 0.85)
      remember(contents, ask, caution, done)
      return { id: done.id, text: text(ask, 'text'), caution }
    },
    trace: (_, ask, lines) => line(lines, 'memory', 'text', ask.input.text),
  },
  recall: { run: checkRecall },
  forget: {
    refusal: ({ memories }, ask) =>
      ownership(
        'memory',
        memories.find((one) => one.id === ask.input.memory_id && !one.forgotten),
        ask,
        'memory_id',
      ),
    run: (contents, ask) => {
      const memory = found(own(contents.memories, ask, 'memory_id'))
      const telling = contents.dreams.filter((dream) => contents.sourcesOf(dream).includes(memory.id))
      memory.forgotten = true
      const told_in_dreams = telling.map(({ id }) => id).sort((a, b) => a - b)
      return { id: memory.id, ...(told_in_dreams.length > 0 && { told_in_dreams }) }
    },
    trace: (_, ask, lines) =>
      line(lines, 'memory', 'id', ask.input.memory_id) === undefined ? 0 : undefined,
  },
  assess: { run: checkAssessment },
  recall_dreams: {
    run: (contents, ask, { when }) => {
      const taken = unread(contents, ask)
      for (const dream of taken) dream.readAt = when
      return {
        dreams: taken.map((dream) => ({
          id: dream.id,
          thought: dream.thought,
          source_memory_ids: contents.sourcesOf(dream),
          novelty: dream.novelty,
          created_at: dream.at,
        })),
      }
    },
    trace: (contents, ask, lines) => {
      const [first] = unread(contents, ask)
      const told = lines.find(({ type, id }) => type === 'dream' && id === first?.id)
      return told && told.read_at !== null ? 0 : undefined
    },
  },
  believe: {
    makes: ['belief', 'id'],
    run: (contents, ask, { id, when }) => {
      const prior = clamped(Number(ask.input.confidence ?? 0.7))
      addBelief(contents, ask, { id, text: text(ask, 'text'), prior, at: when })
      return { id, text: text(ask, 'text'), confidence: prior }
    },
    trace: (_, ask, lines) => line(lines, 'belief', 'text', ask.input.text),
  },
  revise: {
    makes: ['belief', 'new_belief_id'],
    refusal: ({ beliefs }, ask) => {
      const belief = own(beliefs, ask, 'belief_id')
      const refused = ownership('belief', belief, ask, 'belief_id')
      if (refused !== undefined || belief?.supersededBy === null) return refused
      return `belief ${ask.input.belief_id} was already revised`
    },
    run: (contents, ask, { id, when }) => {
      const old = found(own(contents.beliefs, ask, 'belief_id'))
      old.supersededBy = id
      const prior = clamped(Number(ask.input.confidence ?? 0.8))
      addBelief(contents, ask, { id, text: text(ask, 'new_text'), prior, at: when })
      return { revised_from: old.id, new_belief_id: id, text: text(ask, 'new_text') }
    },
    trace: (_, ask, lines) => line(lines, 'belief', 'text', ask.input.new_text),
  },
  evidence: {
    makes: ['evidence', 'evidence_id'],
    refusal: ({ beliefs }, ask) => {
      const belief = own(beliefs, ask, 'belief_id')
      const refused = ownership('belief', belief, ask, 'belief_id')
      if (refused !== undefined || belief?.supersededBy === null) return refused
      return `belief ${ask.input.belief_id} is superseded`
    },
    run: (contents, ask, { id, when }) => {
      const belief = found(own(contents.beliefs, ask, 'belief_id'))
      const [kind, strength] = [text(ask, 'kind'), Number(ask.input.strength)]
      const before = standingOf(belief).confidence
      belief.events.push({
        id,
        kind,
        strength,
        note: ask.input.note === undefined ? null : text(ask, 'note'),
        at: when,
        agent: ask.agent,
      })
      const after = standingOf(belief)
      return {
        evidence_id: id,
        belief_id: belief.id,
        kind,
        strength,
        log_likelihood: weightOf(kind, strength),
        new_log_ratio: ratioOf(belief),
        new_confidence: after.confidence,
        confidence_delta: after.confidence - before,
        status: after.sprt_status,
        boundaries: { promote, demote, alpha: 0.05, beta: 0.1 },
      }
    },
    trace: (_, ask, lines) => line(lines, 'evidence', 'note', ask.input.note),
  },
  evidence_for: {
    refusal: ({ beliefs }, ask) => ownership('belief', own(beliefs, ask, 'belief_id'), ask, 'belief_id'),
    run: ({ beliefs }, ask) => {
      const belief = found(own(beliefs, ask, 'belief_id'))
      return {
        belief: beliefOnWire(belief),
        events: belief.events.map(({ id, kind, strength, note, at }) => ({
          id,
          kind,
          strength,
          log_likelihood: weightOf(kind, strength),
          note,
          created_at: at,
        })),
      }
    },
  },
  beliefs: {
    run: ({ beliefs }, { project, input }) => ({
      beliefs: beliefs
        .filter((belief) => belief.project === project && belief.supersededBy === null)
        .map((belief) => ({ ...beliefOnWire(belief), created_at: belief.at }))
        .filter(({ sprt_status }) => input.status === undefined || sprt_status === input.status)
        .sort(newestFirst)
        .slice(0, Number(input.limit)),
    }),
  },
  predict: {
    makes: ['prediction', 'id'],
    run: (contents, ask, { id, when }) => {
      const domain = text(ask, 'domain').trim()
      const confidence = Number(ask.input.confidence ?? 0.5)
      contents.predictions.push({
        id,
        project: ask.project,
        prediction: text(ask, 'prediction'),
        domain,
        confidence,
        basis: ask.input.basis === undefined ? null : text(ask, 'basis'),
        at: when,
        closing: null,
        agent: ask.agent,
      })
      return { id, domain, confidence }
    },
    trace: (_, ask, lines) => line(lines, 'prediction', 'prediction', ask.input.prediction),
  },
  resolve: {
    refusal: ({ predictions }, ask) => {
      const prediction = own(predictions, ask, 'prediction_id')
      const refused = ownership('prediction', prediction, ask, 'prediction_id')
      if (refused !== undefined || prediction?.closing === null) return refused
      return `prediction ${ask.input.prediction_id} is already resolved`
    },
    run: ({ predictions }, ask, { when }) => {
      const prediction = found(own(predictions, ask, 'prediction_id'))
      const outcome = text(ask, 'outcome') as Outcome
      const surprise = Number(ask.input.surprise ?? Math.abs(worth[outcome] - prediction.confidence))
      prediction.closing = { outcome, actual: text(ask, 'actual'), surprise, at: when }
      return { prediction_id: prediction.id, outcome, surprise }
    },
    trace: (_, ask, lines) => line(lines, 'prediction', 'actual', ask.input.actual),
  },
  predictions_open: {
    run: ({ predictions }, { project, input }) => ({
      predictions: predictions
        .filter((one) => one.project === project && one.closing === null)
        .sort((a, b) => a.at.order - b.at.order || a.id - b.id)
        .slice(0, Number(input.limit))
        .map(({ id, prediction, domain, confidence, basis, at }) => ({
          id,
          prediction,
          domain,
          confidence,
          basis,
          created_at: at,
        })),
    }),
  },
  calibration: {
    run: ({ predictions }, { project, input }) => {
      const days = input.since_days === undefined ? null : Number(input.since_days)
      const since = days === null ? 0 : Date.now() - days * 86_400_000
      const closed = predictions
        .filter((one) => one.project === project)
        .flatMap(({ domain, confidence, closing }) => (closing ? [{ domain, confidence, ...closing }] : []))
        .filter(({ at }) => at.order >= since)
      return calibrationOf(closed, days)
    },
  },
  note_about: {
    makes: ['observation', 'id'],
    run: (contents, ask, { id, when }) => {
      const subject = text(ask, 'subject_agent')
      contents.observations.push({
        id,
        project: ask.project,
        observer: ask.agent,
        subject,
        observation: text(ask, 'observation'),
        kind: ask.input.kind === undefined ? null : text(ask, 'kind'),
        at: when,
      })
      return { id, observer_agent: ask.agent, subject_agent: subject }
    },
    trace: (_, ask, lines) => line(lines, 'observation', 'observation', ask.input.observation),
  },
  outside_views: {
    run: ({ observations }, { project, input }) => ({
      observations: observations
        .filter((one) => one.project === project)
        .filter(({ subject }) => input.subject_agent === undefined || subject === input.subject_agent)
        .sort(newestFirst)
        .slice(0, Number(input.limit))
        .map(({ id, observer, subject, observation, kind, at }) => ({
          id,
          observer_agent: observer,
          subject_agent: subject,
          observation,
          kind,
          created_at: at,
        })),
    }),
  },
}
