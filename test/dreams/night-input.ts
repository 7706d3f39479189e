/** Builds a night's input from a few lines: texts on days counted from a fixed first of March. */
import type { DreamKind, EvidenceKind } from '../../src/core/records.ts'
import { logLikelihoodOf } from '../../src/core/sprt.ts'
import { thinkAtOnce } from '../../src/dreams/thinking.ts'
import type { DreamNote, HeldBelief, NightInput, OpenPrediction, Thought } from '../../src/dreams/thought.ts'

const firstOfMarch = Date.UTC(2026, 2, 1, 9)
const dayLength = 86_400_000
export const day = (number: number): number => firstOfMarch + (number - 1) * dayLength

type Line = readonly [day: number, text: string, extra?: Partial<DreamNote>]

/** Notes of unrelated matter, so that rarity means something. */
const filler = [
  'Ordered replacement cartridges for the label printer upstairs',
  'Grandfather grows tomatoes behind the garage',
  'Kubernetes pods were resized to two gigabytes',
  'Violin rehearsal moved into the chapel',
  'Invoices must carry a Norwegian organisation number',
  'Hedgehog spotted under the terrace',
  'GraphQL gateway caches responses in memory',
  'Booked a vet for the rabbit',
  'Translations are managed with Crowdin',
  'Electric bike battery lasts sixty kilometres',
  'Onboarding guide explains the VPN tokens',
  'Paint for the hallway arrived in eggshell white',
  'Request logs leave out the query strings',
  'Pottery class glazes bowls in turquoise',
  'OpenSSL upgrade affects the SOAP adapter',
  'Neighbour lends us a ladder',
]

export const notesOf = (lines: readonly Line[]): DreamNote[] =>
  lines.map(([on, text, extra], at) => ({
    id: at + 1,
    text,
    at: day(on) + at * 1_000,
    caution: 0,
    agent: 'default',
    ...extra,
  }))

export function inputOf(lines: readonly Line[], more: Partial<NightInput> = {}): NightInput {
  const told = notesOf(lines)
  // Where most lines name who wrote them, several others write the rest.
  const areMany = 2 * told.filter(({ agent }) => agent !== 'default').length > told.length
  const unrelated = filler.map((text, at) => ({
    id: 1_000 + at,
    text,
    at: day(1 + at) + 5_000_000,
    caution: 0,
    agent: areMany ? `colleague-${at % 5}` : 'default',
  }))
  return {
    now: day(28),
    seed: 7,
    limit: 20,
    notes: [...told, ...unrelated],
    beliefs: [],
    predictions: [],
    timeZone: 'UTC',
    ...more,
  }
}

export const dream = (lines: readonly Line[], more: Partial<NightInput> = {}): Thought[] =>
  thinkAtOnce(inputOf(lines, more))

export const kindsOf = (thoughts: readonly Thought[]): DreamKind[] => thoughts.map(({ kind }) => kind)

export const ofKind = (kind: DreamKind, thoughts: readonly Thought[]): Thought[] =>
  thoughts.filter((thought) => thought.kind === kind)

type Piece = readonly [day: number, kind: EvidenceKind, strength: number, note?: string]

export const belief = (text: string, trail: readonly Piece[] = [], confidence = 0.7): HeldBelief => ({
  belief: { id: 1, text, confidence, createdAt: day(1) },
  trail: trail.map(([on, kind, strength, note], at) => ({
    id: at + 1,
    kind,
    strength,
    logLikelihood: logLikelihoodOf(kind, strength),
    note: note ?? null,
    createdAt: day(on),
  })),
})

export const prediction = (text: string, on = 3): OpenPrediction => ({
  prediction: { id: 1, prediction: text, confidence: 0.7, createdAt: day(on) },
})
