/**
 * Tells a lasting prohibition from a turn of phrase and from what is asked for the task at hand. Knows English words;
 * what becomes of a sentence is decided by the caller.
 */

const opening = /^(?:never|do not|don['’]t)\b[\s,:]*/i

/** Whether a sentence opens as a prohibition does. */
export const forbids = (sentence: string): boolean => opening.test(sentence)

/** What a prohibition is of; any other text whole. */
export const withoutOpening = (sentence: string): string => sentence.replace(opening, '')

/** What follows "never" or "do not" where nothing is forbidden. */
const turnOfPhrase =
  /^(?:ever mind|mind|worry|bother|forget|hesitate|be (?:afraid|shy|sorry)|feel|get me wrong|you|know|care|need|want|think so|been|had|heard|saw|seen|thought)\b/i

/** Words that stand alone: `Date.now` and `now()` are none. */
const standing = (words: string): RegExp => new RegExp(`(?:^|\\s)(?:${words})(?=[,;:.!)]*(?:\\s|$))`, 'i')

/** What a brain is kept for, and where: "this repository" is the same one tomorrow. */
const here =
  'repo|repository|project|code ?base|monorepo|workspace|package|app|application|service|site|product|library|team|company|machine|computer|server|brain'
/** Verbs whose "that" opens what is said, and points at nothing. */
const saying =
  'accept|agree|assert|assume|believe|claim|conclude|declare|ensure|expect|guarantee|guess|hope|imply|infer|insist|mention|note|presume|pretend|promise|report|say|state|suggest|suppose|tell|think|trust|write'

/** Signs of something that only the conversation names. */
const pointing = [
  standing(
    '(?:any|every)thing else(?! (?:than|but)\\b)|(?:any|the) other (?:file|line|test|function|part|change)s?',
  ),
  // After a comma it is the thing forbidden: "never push there, this cost a day".
  standing(`(?<!,\\s)(?:this|these)(?! (?:${here})\\b)`),
  standing('those(?! (?:who|whose|that|which|with|of|in|from|on|not|\\w+ed)\\b)'),
  standing('(?:about|after|at|before|by|for|from|in|into|like|of|on|to|with) that'),
  new RegExp(`^(?!(?:${saying})\\b)\\w+ that\\b|\\bthat[,.!]*$`, 'i'),
]

/** Signs that the moment is meant. "From now on" and "now that we have pnpm" last. */
const passing = standing(
  '(?<!\\bfrom\\s)(?:now(?! that\\b)|here)|yet|today|tonight|(?:at|for) the moment|for the time being',
)

/** Reasons and circumstances speak of the thing forbidden, in its own words. */
const proviso = /[;:—–(]|\s-\s|\b(?:because|since|while|when|where)\b/i
/** "What is not reviewed yet" and "who works here" hold at any time. */
const ofAnything = /\b(?:(?<!now )that|what|whatever|which|who|whoever)\b/i

/**
 * Whether a prohibition holds beyond the task at hand. "Never mind" and "do not worry" forbid nothing; "do not touch
 * that file yet" tells a later session nothing, or something false.
 */
export function isLasting(prohibition: string): boolean {
  // What is quoted is spoken of, and points at nothing.
  const rest = withoutOpening(prohibition).replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, '""')
  if (turnOfPhrase.test(rest)) return false
  const [core = ''] = rest.split(proviso)
  const [outright = ''] = rest.split(ofAnything)
  return !passing.test(outright) && !pointing.some((sign) => sign.test(core))
}
