/**
 * Tells a lasting rule from a turn of phrase, a complaint and what is asked for the task at hand. Knows English words;
 * what becomes of a sentence is decided by the caller.
 */

const opening = /^(?:never|(?:do not|don['’]?t)(?: ever)?)\b[\s,:]*/i

/** Whether a sentence opens as a prohibition does. */
export const forbids = (sentence: string): boolean => opening.test(sentence)

/** What a prohibition is of; any other text whole. */
export const withoutOpening = (sentence: string): string => sentence.replace(opening, '')

/** What is quoted is spoken of: it points at nothing, and states nothing. */
const withoutQuoted = (text: string): string => text.replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, '""')

/** What follows "never" or "do not" where nothing is forbidden. */
const turnOfPhrase =
  /^(?:ever mind|mind|worry|bother|forget|hesitate|be (?:afraid|shy|sorry)|feel|get me wrong|you|know|care|need|want|think so|been|go overboard|overdo|overthink|had|heard|saw|seen|thought)\b/i

/** Words that stand alone: `Date.now` and `now()` are none. */
const standing = (words: string): RegExp => new RegExp(`(?:^|\\s)(?:${words})(?=[,;:.!)]*(?:\\s|$))`, 'i')

/** What a brain is kept for, and where: "this repository" is the same one tomorrow. */
const here =
  'repo|repository|project|code ?base|monorepo|workspace|package|app|application|service|site|product|library|firmware|game|team|company|machine|computer|server|brain'
/** Verbs whose "that" opens what is said, and points at nothing. */
const saying =
  'accept|agree|assert|assume|believe|claim|conclude|declare|ensure|expect|guarantee|guess|hope|imply|infer|insist|mention|note|presume|pretend|promise|report|say|state|suggest|suppose|tell|think|trust|write'

// After a comma it is the thing forbidden: "never push there, this cost a day".
const thisOne = standing(`(?<!,\\s)(?:this|these)(?! (?:${here})\\b)`)

/** Signs of something that only the conversation names. */
const pointing = [
  standing(
    '(?:any|every)thing else(?! (?:than|but)\\b)|any other (?:file|line|test|function|part|change)s?|the other \\w+',
  ),
  thisOne,
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

/** Signs that "do not" is about the task at hand; "never" needs more of them. */
const ofTheTask = [
  /^\w+(?: \w+)? (?:it|them|him|her|his|their)\b/i,
  /\b(?:I|I['’](?:m|ll|ve|d)|me|my)\b/i,
  /,\s*(?:only|just)\b|\bbefore you\b|\balong the way\b/i,
  /^\w+ (?:anything|everything|anyone|files?)(?=[,.;!]|$)/i,
]
/** "Don't rename the variable" is of one thing before both; what follows may say that it is more than that. */
const oneThing =
  /^(?:touch|change|rename|edit|modify|update|delete|remove|drop|refactor|restyle|fix|rewrite|move|reformat|implement|add|run|start|merge|close|open|install|convert|split|extract)\s+(?:the|that|a|an)\s+(?:[\w-]+\s+){0,2}[\w/.-]*[^s\s](?=[\s,.;:!]|$)/i
/**
 * What says beside a task, or of one thing, that a "don't" is for good: where and when it holds, what is dear, and
 * things of a kind rather than one of them.
 */
const forGood = [
  /\b(?:anywhere|everywhere|ever|whatever|whoever|anybody|always|every|by hand|manually|directly|unless|without)\b/i,
  /\b(?:prod(?:uction)?|main|master|trunk|secrets?|passwords?|tokens?|credentials?|lock ?files?|generated|vendor|api keys?)\b|\bon (?:\w+days|weekends)\b/i,
  /^\w+(?: or \w+)? (?:(?!(?:the|an?|that|any|her|his|my|your|one|more|other|up|down|all)\b)[\w'-]+ ){0,3}(?!(?:this|it[’']s|as|its|is|was)\b)[\w'-]{3,}s\b(?=.*[,:;(]|.*\b(?:in|on|from|into) (?!with\b))(?!.*\b(?:along|yet|there|for now)\b)/i,
]

/** Where a rule holds. */
const place =
  /\b(?:in|for|across|of) (?:this|our|the (?:whole|entire)) (?:repo|repository|project|code ?base|team|product|app|firmware|monorepo|company)\b|\b(?:in|around) here\b|\bhere(?=[,.;]|$)|\beverywhere\b|\bwithout exception\b|\bno exceptions?\b|,\s*(?:ever|always|full stop|period)\b|\bwhatever the\b|\bin all our\b|\b(?:compliance|house|team) rule\b|\bpolicy\b/i

/** What "never" holds for, too, when it is only meant for the task. */
const meanwhile = /\bwhile (?:you|doing)\b/i

/** Whether a prohibition opens with "never", or says that it is for good. */
const isOutright = (prohibition: string): boolean => /^never\b|\bever\b/i.test(prohibition)

/** Said of a prohibition before it is asked whether it lasts. */
interface Setting {
  /** What leads into it says that it is for good. */
  readonly standing?: boolean
  /** Something else is said beside it, most likely a task. */
  readonly besideTask?: boolean
}

/**
 * Whether a prohibition holds beyond the task at hand. "Never mind" and "do not worry" forbid nothing; "do not touch
 * that file yet" tells a later session nothing, or something false. Of 124 sentences with "don't" beside a task 17 last.
 */
export function isLasting(
  prohibition: string,
  { standing = false, besideTask = false }: Setting = {},
): boolean {
  const rest = withoutQuoted(withoutOpening(prohibition))
  if (turnOfPhrase.test(rest) || meanwhile.test(rest)) return false
  if (standing) return true
  if (!isOutright(prohibition)) {
    if (ofTheTask.some((sign) => sign.test(rest))) return false
    if ((besideTask || oneThing.test(rest)) && !place.test(rest) && !forGood.some((sign) => sign.test(rest)))
      return false
  }
  const [core = ''] = rest.split(proviso)
  const [outright = ''] = rest.split(ofAnything)
  return !passing.test(outright) && !pointing.some((sign) => sign.test(core))
}

/** What leads into a sentence and says nothing: "oh, and please". */
const leadIn =
  /^(?:(?:and|also|oh|ok(?:ay)?|so|but|btw|by the way|please|pls|plz|just so you know|fyi|one more thing|again|i mean|important|ps|nb)\b[\s,:;—–-]*)+/i
/** What leads into a rule for good. */
const standingLead =
  /^(?:from now on|for the future|in general|generally|as a (?:general )?rule|a standing (?:one|rule)|(?:house|team|project|general|new) rule)\b[\s,:;—–-]*/i

/** A sentence without what leads into it, and whether that says that it is meant for good. */
export function withoutLead(sentence: string): { text: string; standing: boolean } {
  const text = sentence.replace(leadIn, '')
  const rest = text.replace(standingLead, '')
  return { text: rest.replace(leadIn, ''), standing: rest !== text }
}

/** What makes a sentence with such a place a rule. */
const obliging =
  /\b(?:never|always|must|only|no|not|don['’]?t|keeps?|stays?|starts? with|need|needs|has to|have to)\b/i

/** Forms in which people say what holds for good, besides "never" and "do not" at the beginning. */
const forms: readonly RegExp[] = [
  /\b(?:is|are) (?:strictly |absolutely )?(?:forbidden|prohibited|not allowed|not permitted|not accepted|off[- ]limits|a no[- ]?go|refused|rejected|taboo|banned|read[- ]only for us)\b/i,
  /\b(?:nobody|no one) (?!knows|cares|understands|reads|needs|wants|remembers|likes|seems|minds|uses|has|is)\w+s\b/i,
  /\b(?:must|should|may|can) never\b|\bmust always\b|\bmust\b.*\bunless\b|^(?!the\b)[\w' -]+s (?:must|have to) (?:be|have|come|go|use|carry|support)\b|\b(?:nobody|no \w+) may\b|\b(?:must|may) not\b|\b(?:has|have) to (?:stay|remain)\b/i,
  /^(?:every|all|any|each|no|an?)\b.*\b(?:must|has to|have to|need|needs)\b/i,
  /\b(?:is|are|gets?) (?:never|always) \w+(?:ed|en|ne|un|ade|ept|uilt|ut|et|ent|old)\b|\b(?:is|are) \w+(?:ed|en|ne|ade|ept|uilt) only\b|^(?!the\b)[\w, '-]+s never (?:go|contain|leave|appear|belong|touch|share)\b/i,
  /\b(?:go|goes|come|comes|live|lives|happen|happens|get|gets)\b[^.]* (?:through|from|via|to|in|into)\b[^.]*,? (?:not|never|no|only)\b/i,
  /\bwe (?:keep|never|always|only)\b|\bwe (?:do not|don['’]?t) (?!know|have|need|want|care|see|get|understand|think|mind|like)/i,
  /\b(?:has|have) no business\b|\bneeds? (?:\w+['’]s|an|the) (?:okay|ok|approval|review|sign-?off|entry)\b|\b(?:is|are) frozen\b|\bstays? (?:out|free|clear) of\b|\bbelongs? (?:in|under|on)\b|\b(?:not|never|nothing|n['’]t)\b[^.]*\bby hand\b|\bappend[- ]only\b|\b(?:has|have) to be (?:reviewed|approved|signed)\b/i,
  /\b(?:do not|don['’]?t|never)\b[^.]*\bwithout\b/i,
  /^only (?:the )?[\w -]{2,30} (?:may|runs?|touch(?:es)?|deploys?|writes?|edits?|approves?|merges?)\b/i,
]

/** Signs of a complaint, a story, or of what is asked now. */
const ofTheMoment =
  /\?$|^(?:i|you|he|she|it|this|that|there|if|what|why|how|let['’]?s|is|are|can|could|do|does)\b|\w(?:Exception|Error)\b|\b(?:them|these|those)\b|\b(?:you|now|today|tonight|tomorrow|yesterday|currently|still|yet|was|were|did|failed|fails?|broken?|crash(?:es|ed)?|bugs?|errors?|wrong|i|me|my)\b|\bthis (?:pr|branch|time|file|task|function|test|commit|ticket|page|change|release)\b|\b(?:at|for) the moment\b/i

/** What follows a rule and gives its reason. */
const reason = /[;—–(]|,\s*(?:because|since|otherwise|we had|they|it|that|there)\b/i

/** What a sentence leads up to: "since you asked: nobody pushes to main". */
const saidAfterAll = (sentence: string): string => /:\s+((?:\S+\s+){3,}\S+)$/.exec(sentence)?.[1] ?? sentence

/** "Never" behind what leads up to it: "and for the mails: never put a host's name into one". */
export const neverIn = (sentence: string): string | undefined =>
  /[:,]\s+(never\s(?!mind\b|again\b|ever mind\b).+)$/i.exec(sentence)?.[1]

/** Most words of a sentence that states a rule. */
const maxRuleWords = 45

/**
 * Whether a sentence without its lead states a rule for good in other words than "never" or "do not": "nobody pushes to
 * main here", "migrations go through `make`, not by hand". `standing` if its lead says that it is for good.
 */
export function statesRule(sentence: string, standing: boolean): boolean {
  if (sentence.split(/\s+/).length > maxRuleWords) return false
  const text = withoutQuoted(saidAfterAll(sentence))
  if (text.endsWith('?')) return false
  if (standing) return true
  const [core = ''] = text.split(reason)
  if (ofTheMoment.test(core) || thisOne.test(core)) return false
  return forms.some((form) => form.test(text)) || (place.test(text) && obliging.test(text))
}

/** Whether a rule forbids, and does not only ask for something. */
export const isProhibition = (rule: string): boolean =>
  /\b(?:never|not|no|nobody|forbidden|prohibited|off[- ]limits|rejected|refused|banned|frozen|only|out of|instead of|don['’]?t|without)\b/i.test(
    rule,
  )
