/**
 * What a warning says: what it warns of, what it recommends, and whether acting or failing to act is harmful. Knows
 * the English phrasings of warnings; a warning in any other phrasing has no advice.
 */
import { squeeze } from '../patterns.ts'
import { isStopTerm, toPlainTerms } from '../words.ts'
import { type Bound, boundsOf } from './bounds.ts'
import { firstStepOf, orderOf } from './order.ts'
import { partRead, type Reading, read } from './reading.ts'
import { type TimeWindow, timeWindowOf } from './time-windows.ts'

export interface WarningReading extends Reading {
  /** What it warns of, without what it recommends. */
  readonly warned: string
  /** What it recommends, and what must not be left out: "… without X". */
  readonly safe: string
  /** Terms of that and of nothing that it warns of, with words of number and order: "one at a time" beside "all at once". */
  readonly safer: ReadonlySet<string>
  /** Stems of what it recommends that are not in what it warns of. */
  readonly advised: ReadonlySet<string>
  /** Stems of what had to be done afterwards ("forced us to rotate every key") that are not in the rest. */
  readonly aftermath: ReadonlySet<string>
  /** The warning without what it says followed. */
  readonly cause: string
  /** Failing to do something is harmful: "always …", "never skip …", "do not disable …". */
  readonly isDuty: boolean
  /** Stems of each step that must come first: "… before X is done", "… without X", "X first". */
  readonly required: readonly ReadonlySet<string>[]
  /** The times at which it must not be done, and those at which it may. */
  readonly forbidden: TimeWindow
  readonly allowed: TimeWindow
  /** How much of what it warns of. */
  readonly bounds: readonly Bound[]
}

const clauseEnd =
  /(?<=[a-z0-9)`%"])[.;!?](?:\s+|$)|\s+[-–—]+\s+|:\s+|,\s+(?=(?:use|prefer|only|ask|wait|so|let|do|go|instead|not|never|take|keep|put|make|write|add|run|send)\b)|\s+(?=(?:instead of|rather than|and not|, not)\s)/i
const advice =
  /^(?:please |then |so |and |or |better |rather |but )*(?:use|prefer|ask|wait|go|book|keep|take|send|make|put|run|call|check|write|tell|let|only|inject|pin|add|open|stick|switch|rely|schedule|get|forward|aggregate|read|set|pass|store|link|do (?:it|that|this|so)|move|treat|copy|apply|start|give|leave|stay|test|try|always|first|one|go through|announce|agree|talk|speak|buy|bring|pay|order|deploy|merge|create|save|fetch|quote)\b/i
const advising =
  /\b(?:instead(?! of)|(?<!\b(?:the|our|my|their|his|her|its|an) )only|the only (?:\w+ )?(?:way|place|path|route|option|tool)|unless|except|first|must(?! not)|should(?! not|n't)|needs? (?:to|the|a|somebody)|ha(?:s|ve) to|is fine|are fine|works|goes through|go through|at a time|one by one|in (?:small )?batches|is for that|belongs?|allowed|approved|agreed)\b/i
const refusing =
  /^(?:never|no|not|don'?t|do not|avoid|stop|nobody|nothing|without|instead of|rather than|and not|beware|careful|under no|mustn'?t|must not|leave\b.*\balone|hands off|(?:stay|keep) (?:away|off|out))\b/i
const duty =
  /^(?:always|make sure|remember|be sure|never (?:skip|forget|omit|disable|turn off|switch off|remove|bypass|ignore|stop|go without|leave)|(?:don'?t|do not) (?:skip|forget|omit|disable|turn off|switch off|remove|bypass|ignore|stop|leave out)|(?:every|each|all|any)\b.*\b(?:must(?! not)|needs?|ha(?:s|ve) to|requires?))\b|\bmust always\b|\b(?:disabling|turning off|switching off|skipping|removing|bypassing|ignoring|forgetting|stopping)\b/i

const ban =
  /^(?:never|no|don'?t|do not|avoid|nobody|nothing|please (?:don't|do not|never)|leave\b.*\balone|hands off|(?:stay|keep) (?:away|off|out)|\w{3,}ing)\b/i

/** A clause that says when it must not be done; other clauses with a time say when something went wrong. */
const banning =
  /\b(?:never|no|not|nobody|nothing|none|alone|hands off|(?:stay|keep) (?:away|off|out)|avoid|stop|hold|held|off limits|forbidden|banned|closed|frozen|freeze|burn(?:ed|t)|hates?|while|during)\b|n't\b/i

/**
 * What a deed at such a time led to, "deploying on Friday afternoon caused …", as a rule would say it; of one day of
 * the calendar it says when it was.
 */
const ledTo =
  /^(?!.*(?:\d|\b(?:last|yesterday|this|(?:jan|febr)uary|march|april|june|july|august|(?:sept|nov|dec)ember|october)\b.*\b(?:caus|br[eo]|cost|took|led|lost|brought|end)))\w{3,}ing\b[^.;:]*\b(?:caused?s?|breaks?|broke|costs?|took|takes|leads? to|led to|lost|loses|brought|brings|ended|ends)\b/i

/** What followed, up to the end of its clause or to what it followed from. */
const following =
  /\b(?:forc(?:ed|es|ing)(?: (?:us|me|you|him|her|them|it|everyone|everybody|people|the \w+))? (?:to|into)|(?<!\b(?:we|i|you|he|she|they|who|someone|somebody) )forced (?:an?|the)(?! (?:force|push|merge|install|unlock|update|delete))|had to|(costs?|costing) (?:us|me|you|him|her|them|everyone|everybody|the \w+))\b.*?(?=[.;:!?](?:\s|$)| (?:because|after|when|since|until|unless)\b|$)/gi

/** Stop words that make a plan another one. */
const ordering = new Set(
  toPlainTerms(
    'all any both before after each every first never no not once one only together two whole without',
  ),
)

/** The terms of a text without stop words, but with those of number and order. */
export const termsWithOrder = (text: string): string[] =>
  toPlainTerms(text).filter((term) => ordering.has(term) || !isStopTerm(term))

const stemsOf = (clauses: readonly string[]): Set<string> =>
  new Set(clauses.flatMap((clause) => toPlainTerms(clause)).filter((term) => !isStopTerm(term)))

/** A word of a mishap, after which "without a review" and "before X is checked" end: "… caused", "… was lost". */
const mishap =
  /(?<!\b(?:is|are|was|were|has|have|had|been|be|an?|the)) (?:\w+ed|lost|broke|cost|took|left|made|sent|got|hung|brought|put|was|were|went)\b.*$/is

const isAdvice = (clause: string): boolean =>
  !refusing.test(clause) && (advice.test(clause) || advising.test(clause))

/** What a cause ends with: "…, so we had to". Without one, "Ruud had to delete it" is what went wrong. */
const causeEnd = /[,;:.]\s|\s(?:and|so|then|which)\s/gi

function hasCause(before: string): boolean {
  const end = [...before.matchAll(causeEnd)].at(-1)?.index
  const stems = [...stemsOf([before.slice(0, end ?? 0)])].filter((stem) => !/^\d/.test(stem))
  return stems.length >= 2
}

/** Characters before and after a consequence that are looked at: more, for each of thousands, would take minutes. */
const maxAround = 300

/**
 * Stems of what had to be done; of what something cost, those of deeds alone: "a week of restoring backups". None where
 * a mishap follows: then it was done and went wrong.
 */
function aftermathOf(text: string): Set<string> {
  const done: string[] = []
  for (const { 0: all, 1: cost, index } of text.matchAll(following)) {
    const end = index + all.length
    const rest = text.slice(end, end + maxAround).replace(/^[.;:!?\s]+/, '')
    const tail = rest.split(clauseEnd).filter((clause) => clause.trim() !== '')
    const [, deeds = ''] = /^(?:had to|forc\w+(?: .*?)? (?:to|into|an?|the)|cost\w*)\b(.*)$/is.exec(all) ?? []
    if (mishap.test(deeds) || !tail.every((clause) => isAdvice(clause) || refusing.test(clause))) continue
    if (/^had to/i.test(all) && !hasCause(text.slice(Math.max(0, index - maxAround), index))) continue
    done.push(cost === undefined ? all : (all.match(/\b[\w-]+ing\b/gi) ?? []).join(' '))
  }
  return stemsOf(done)
}

/** The steps that a clause says must come first. */
function requiredBy(clause: string, advises: boolean): string[] {
  const order = /\bbefore\b/i.test(clause) ? orderOf(clause) : undefined
  if (advises) {
    if (order !== undefined) return [firstStepOf(order.first)]
    return /\bfirst\b/i.test(clause) ? [clause.replace(/\bfirst\b/gi, '')] : []
  }
  const left = /\bwithout (\S+.*)/is.exec(clause)?.[1]
  const put = ban.test(clause) ? order?.then : undefined
  return [left, put].flatMap((step) => (step === undefined ? [] : [step.replace(mishap, '')]))
}

/** Reads a warning, or of a long one its part. */
export function readWarning(whole: string): WarningReading {
  const text = partRead(whole)
  const plain = squeeze(text).replace(/’/g, "'").trim()
  const clauses = plain.split(clauseEnd).filter((clause) => clause.trim() !== '')
  const advised = clauses.filter(isAdvice)
  const warned = clauses.filter((clause) => !advised.includes(clause))
  const cause = plain.replace(following, ' ')
  const causes = stemsOf([cause])
  const isDuty = duty.test(plain)
  const steps = clauses.flatMap((clause) => requiredBy(clause, advised.includes(clause)))
  const toDo = stemsOf(advised)
  const notToDo = stemsOf(warned)
  const [warnedOf, safe] = [warned.join('; '), [...advised, ...steps].join('; ')]
  // What must not be left out is no part of what is warned of.
  const grave = new Set(termsWithOrder(warnedOf.replace(/\bwithout\b.*/is, '')))
  // "Use X": all of it is advice, and what it warns of is anything else.
  return {
    ...read(text),
    warned: warnedOf,
    safe,
    safer: new Set(termsWithOrder(safe).filter((term) => !grave.has(term))),
    advised: new Set([...toDo].filter((term) => !notToDo.has(term))),
    aftermath: new Set([...aftermathOf(plain)].filter((term) => !causes.has(term))),
    cause,
    isDuty,
    required: isDuty ? [] : steps.map((step) => stemsOf([step])).filter((stems) => stems.size > 0),
    forbidden: timeWindowOf(
      warned.filter((clause) => banning.test(clause) || ledTo.test(clause)).join('. '),
      'rule',
    ),
    allowed: timeWindowOf(advised.join('. '), 'rule'),
    bounds: boundsOf(plain),
  }
}
