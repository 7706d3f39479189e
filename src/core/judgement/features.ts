/**
 * Evidence for and against a plan falling under a warning, as numbers that a person can check and the words they come
 * from. Knows readings of both texts; the weights are in weights.ts.
 */
import { doesOther, isGentlerThan } from '../actions.ts'
import { mentions } from '../patterns.ts'
import { toPlainTerms } from '../words.ts'
import { compareQuantities } from './bounds.ts'
import { destroyedIn, pushedIn, unforcedIn, unpushedIn } from './command-forms.ts'
import { firstStepOf } from './order.ts'
import type { Reading } from './reading.ts'
import { compareWindows } from './time-windows.ts'
import type { WarningReading } from './warning.ts'

/** Each is 0..1. */
export const featureNames = [
  // Of the plan's words, the share that the warning has, and of its names; both are for which flags are nearest.
  'sharedWords',
  'sharedNames',
  // Both are in the same words.
  'sameText',
  // The warning holds the very command.
  'quoted',
  // The warning, without its advice, has every word of the plan, which only acts.
  'within',
  // Of the plan's words, those that only the warning's advice has.
  'advised',
  // Of what only the warning's advice has, the share that the plan has, if it leaves none of it out.
  'safer',
  'prevents',
  'keepsDuty',
  'looks',
  'gentler',
  'safely',
  'live',
  'careless',
  'harmfulCommand',
  'harmlessCommand',
  // The warning is of what is forced, and the command forces nothing.
  'unforced',
  'unpushed',
  'pushed',
  // The statement takes away all of what the warning says not to take away.
  'destroyed',
  'badTime',
  'goodTime',
  // More or less of something than the warning allows; and no more and no less.
  'beyond',
  'inBounds',
  // So few words that they tell nothing of what is warned of.
  'vague',
  // As few, of another kind of action, and what the warning has of them only says where.
  'placeAlone',
  // Says not to do what the warning says not to do.
  'refuses',
  // Does only what the warning says had to be done afterwards.
  'remedies',
] as const
export type FeatureName = (typeof featureNames)[number]

/** A number, 0..1, and the words of the plan that it comes from. */
export interface Feature {
  readonly value: number
  readonly words: string
}

export type Features = Readonly<Record<FeatureName, Feature>>

const sharedOf = (terms: ReadonlySet<string>, of: ReadonlySet<string>): string[] =>
  [...terms].filter((term) => of.has(term))

/** The plan's own words, as written, whose stems are among `terms`. */
const writtenOf = (plan: Reading, terms: ReadonlySet<string>): string[] =>
  [...new Set(plan.text.split(/(?<![,.;:!?])[,.;:!?]*(?:\s+|$)/))].filter((word) =>
    toPlainTerms(word).some((term) => plan.terms.has(term) && terms.has(term)),
  )

const shareOf = (terms: ReadonlySet<string>, of: ReadonlySet<string>): number =>
  terms.size === 0 ? 0 : sharedOf(terms, of).length / terms.size

/** Names and identifiers: words with a digit, an inner capital or a symbol, or a capital inside a sentence. */
const name =
  /(?<![A-Za-z])[A-Za-z][\w-]*[\d_./:@-][\w./:@-]*|\b\w+[a-z][A-Z]\w*|`[^`]+`|(?<=[\p{Ll},;] )\p{Lu}[\p{L}\d]+|\b\d{2,}\b/gu

const namesOf = (text: string): Set<string> =>
  new Set((text.match(name) ?? []).map((one) => one.replace(/(?<![`.:,])[`.:,]+$|^`/g, '').toLowerCase()))

const presence = (words: string | undefined): Feature => ({
  value: words === undefined ? 0 : 1,
  words: words ?? '',
})
const amount = (value: number, words: readonly string[] = []): Feature => ({
  value,
  words: words.slice(0, 4).join(', '),
})

const stopping = /^(?:disable|turn off|switch off|skip|remove|drop|ignore|leave out|go on without)\b/i

const refusal =
  /^(?:(?:remind|ask|tell|warn) (?:[\w'’]+ ){1,4}(?:not to|never to)|do not|don'?t|never|no longer)\b([^,;.]*)/i

/** Whether a plan is the ban itself: half of the words for what it will not do are the warning's. */
function isRefusal(warning: WarningReading, plan: Reading): boolean {
  const refused = refusal.exec(plan.text.replace(/’/g, "'").trim())?.[1]
  if (refused === undefined || warning.isDuty) return false
  const terms = new Set(toPlainTerms(refused).filter((term) => plan.terms.has(term)))
  return shareOf(terms, warning.terms) >= 0.5
}

/** Whether a sentence goes on to a second step, or says how the first is done. */
const goesOn = /[,;]|\b(?:and|then|into|by|while|before|after|instead)\b/i

/** The plan's verb, where it is one of what had to be done afterwards and the plan does nothing else. */
function remedyIn(warning: WarningReading, plan: Reading): string | undefined {
  const [verb] = plan.terms
  if (verb === undefined || !warning.aftermath.has(verb)) return undefined
  if (plan.isCommand || plan.neglects !== undefined || goesOn.test(plan.text)) return undefined
  return shareOf(plan.terms, warning.terms) < 0.5 ? undefined : writtenOf(plan, new Set([verb])).join(' ')
}

/** Share of a required step's words that name it, and of a plan's words when it is nothing else. */
const minNamed = 0.7
const minAlone = 0.8

/** Whether a plan is a step that must come first, or takes that first. */
function takesFirst(warning: WarningReading, plan: Reading): boolean {
  if (warning.required.length === 0) return false
  const first = firstStepOf(plan.text)
  const terms = new Set(toPlainTerms(first).filter((term) => plan.terms.has(term)))
  return warning.required.some(
    (step) =>
      shareOf(step, terms) >= minNamed && (first !== plan.text || shareOf(plan.terms, step) >= minAlone),
  )
}

/** What a command in a warning ends with: an option behind it would make it another one. */
const endOfCommand = /^[`'")]*(?:$|[.,;:!?)]|\s+(?!-))/

/** The command that a plan is, if the warning holds it word for word and does not recommend it. */
function quotedIn(warning: WarningReading, plan: Reading): string | undefined {
  const begun = plan.text.replace(/^[$>`\s]+/, '')
  const command = begun.slice(0, begun.search(/[^`\s][`\s]*$/) + 1)
  const at = plan.isCommand && /\s/.test(command) ? warning.warned.indexOf(command) : -1
  return at >= 0 && endOfCommand.test(warning.warned.slice(at + command.length)) ? command : undefined
}

/** Verbs of telling, and what a warning of telling says: who shows a secret does not only look. */
const telling =
  /^(?:print|show|write|tell|report|display|mention|post|present|quote|share|document|note|view|export)/i
const exposing =
  /\b(?:log(?:s|ged|ging)?|print(?:s|ed|ing)?|past(?:e|ed|ing)|post(?:s|ed|ing)?|shar(?:e|ed|ing)|expos\w+|display\w*|echo\w*|leak\w*|disclos\w*|show(?:s|n|ed|ing)?|publish\w*|e-?mail\w*)\b/i

/** By which a plan leaves something out: "push now, the snapshot can wait". */
const leavesOut =
  /\b(?:without|skip\w*|no|not|never|later|instead|leave|left|ignor\w+|drop|bypass\w*|nobody|rather|anyway|except|wait|afterwards|missing)\b|n't\b/i
/** Somebody who is not there: "while Tomek is away", "Tomek in Gdansk". */
const absence =
  /(?<!\p{L})(\p{Lu}\p{L}+)(?:'s|’s| is| will be| being)? (?:still |currently )?(?:away|absent|gone|on (?:holiday|vacation|leave)|ill|sick|off(?! on\b)|out(?! of the question)|asleep|unreachable|in \p{Lu}\p{L}+)\b/u

/** The words by which somebody whom the warning names is not there. */
function absentIn(warning: WarningReading, plan: Reading): string | undefined {
  const [words, who = ''] = absence.exec(plan.text) ?? []
  return words !== undefined && mentions(warning.text, who) ? words : undefined
}

/** Least share of what only the advice has: less of it is met by chance. */
const minSafer = 0.6

/** The words by which a plan takes what the warning recommends or asks for. */
function saferIn(warning: WarningReading, plan: Reading): Feature {
  const terms = warning.safer
  if (terms.size === 0 || leavesOut.test(plan.text)) return presence(undefined)
  const taken = sharedOf(terms, new Set(toPlainTerms(plan.text)))
  return taken.length >= minSafer * terms.size ? amount(1, writtenOf(plan, terms)) : presence(undefined)
}

/** Words that say when and nothing of what. */
const moments = new Set(toPlainTerms('tonight today tomorrow now soon again'))
/** Fewer words are met by chance. */
const minWithin = 3

/** Whether a plan says nothing but what is warned of, and takes nothing of what is recommended. */
function isWithin(warning: WarningReading, plan: Reading): boolean {
  const own = [...plan.terms].filter((term) => !moments.has(term))
  const warned = new Set(toPlainTerms(warning.warned))
  return own.length >= minWithin && !warning.isDuty && own.every((term) => warned.has(term))
}

/** What a rule asks for: "always run migrations with …", "every export needs …". */
const asking =
  /^(?:always|every|each|all|any)\b[^:.;]*?\b(?:needs?|must(?: be)?|ha(?:s|ve) to(?: be)?|requires?|with|through|via|using)\b([^:.;]*)/i

/** Whether a plan does what a rule asks for, and not the act alone that the rule is about; true where that is not told apart. */
function doesAsked(warning: WarningReading, plan: Reading): boolean {
  const [, asked] = asking.exec(warning.text) ?? []
  return asked === undefined || shareOf(new Set(toPlainTerms(asked)), plan.terms) >= 0.3
}

/** Whether the words of a warning say the opposite in a plan: in the other order, with what is recommended, or of a duty. */
const turns = (warning: WarningReading, plan: Reading, ordered: boolean): boolean =>
  ordered || warning.isDuty || toPlainTerms(plan.text).some((term) => warning.safer.has(term))

/** Significant words below which a plan that shares none with a warning is too vague to be matched with it. */
const minTerms = 2

/** Words that say where something is done. */
const places = new Set(
  toPlainTerms('production prod staging live dev test preview main master cluster server'),
)
/** Significant words up to which a sentence names an action and a place and hardly more. */
const maxBare = 3

/** The place, where a bare step shares nothing else with a warning of more than that, which is of another kind of action. */
function placeAlone(warning: WarningReading, plan: Reading): string | undefined {
  if (plan.step === undefined || plan.terms.size > maxBare || !doesOther(plan.step, warning.text))
    return undefined
  const shared = sharedOf(plan.terms, warning.terms)
  const alone =
    shared.length > 0 && shared.length < plan.terms.size && shared.every((term) => places.has(term))
  return alone && [...warning.terms].some((term) => !places.has(term))
    ? writtenOf(plan, new Set(shared)).join(' ')
    : undefined
}

/** The evidence in two readings, for and against. */
export function compare(warning: WarningReading, plan: Reading): Features {
  const forbidden = compareWindows(warning.forbidden, plan.window)
  const allowed = compareWindows(warning.allowed, plan.window)
  const names = namesOf(plan.text)
  const known = namesOf(`a ${warning.text}`)
  const shared = sharedOf(names, known)
  const stops = plan.prevents ?? stopping.exec(plan.text)?.[0]
  const elsewhere =
    plan.safely !== undefined && !warning.text.toLowerCase().includes(plan.safely.toLowerCase())
  const badTime = forbidden === 'within' || (forbidden === undefined && allowed === 'outside')
  const goodTime = forbidden === 'outside' || (forbidden === undefined && allowed === 'within')
  const measured = compareQuantities(warning.bounds, plan.text)
  // Who looks, rehearses or guards at that time does not do it then.
  const acts = stops === undefined && plan.looks === undefined && plan.safely === undefined
  // "Do not skip the tests", and the plan runs them; "never deploy without a backup", and it makes one first.
  const neglected = plan.neglects ?? absentIn(warning, plan)
  const done = stops === undefined && neglected === undefined && !refusal.test(plan.text.trim())
  const ordered = done && !warning.isDuty && takesFirst(warning, plan)
  const keeps =
    ordered ||
    (done && warning.isDuty && shareOf(plan.terms, warning.terms) >= 0.3 && doesAsked(warning, plan))
  const isVerbatim = plan.text === warning.text
  const bothWays = Math.min(shareOf(plan.terms, warning.terms), shareOf(warning.terms, plan.terms))
  return {
    sharedWords: amount(shareOf(plan.terms, warning.terms)),
    sharedNames: amount(names.size === 0 ? 0 : shared.length / names.size),
    sameText: amount(isVerbatim || (bothWays >= 0.8 && !turns(warning, plan, ordered)) ? 1 : 0),
    quoted: presence(quotedIn(warning, plan)),
    within: amount(
      isVerbatim || (acts && !goodTime && !turns(warning, plan, ordered) && isWithin(warning, plan)) ? 1 : 0,
    ),
    advised: amount(shareOf(plan.terms, warning.advised), writtenOf(plan, warning.advised)),
    safer: neglected === undefined ? saferIn(warning, plan) : presence(undefined),
    prevents: presence(warning.isDuty ? undefined : plan.prevents),
    keepsDuty: amount(keeps ? 1 : 0),
    looks: presence(telling.test(plan.looks ?? '') && exposing.test(warning.warned) ? undefined : plan.looks),
    gentler: amount(plan.step && isGentlerThan(plan.step, warning.text) ? 1 : 0),
    safely: presence(elsewhere ? plan.safely : undefined),
    live: presence(plan.live),
    careless: presence(neglected),
    harmfulCommand: presence(plan.command?.effect === 'harmful' ? plan.command.form : undefined),
    harmlessCommand: presence(plan.command?.effect === 'harmless' ? plan.command.form : undefined),
    unforced: presence(unforcedIn(plan.text.trim(), warning.cause)),
    unpushed: presence(unpushedIn(plan.text.trim(), warning.text)),
    pushed: presence(pushedIn(plan.text, warning.text)),
    destroyed: presence(destroyedIn(plan.text, warning.warned)),
    badTime: amount(badTime && acts ? 1 : 0),
    goodTime: amount(goodTime ? 1 : 0),
    beyond: presence(acts && measured?.relation === 'beyond' ? measured.words : undefined),
    inBounds: presence(measured?.relation === 'within' ? measured.words : undefined),
    refuses: amount(isRefusal(warning, plan) ? 1 : 0),
    remedies: presence(remedyIn(warning, plan)),
    placeAlone: presence(placeAlone(warning, plan)),
    vague: amount(plan.terms.size <= minTerms && bothWays === 0 ? 1 : 0),
  }
}
