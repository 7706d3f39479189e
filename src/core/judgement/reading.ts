/**
 * What one text says about an action: whether it performs, prevents or omits it, inspects or changes, and where. Knows
 * English words in closed lists, and nothing about the other text.
 */

import { type Step, toStep } from '../actions.ts'
import { endsOf } from '../excerpt.ts'
import { squeeze } from '../patterns.ts'
import { isStopTerm, toPlainTerms } from '../words.ts'
import { type CommandForm, commandFormOf, isCommand } from './command-forms.ts'
import { type TimeWindow, timeWindowOf } from './time-windows.ts'

/** Characters that are read of a longer text, plan or warning: where it begins, and where it ends. */
const [maxBeginning, maxEnd] = [3_000, 1_000]

/**
 * What is read of a text. Most patterns here try each of a text's words with hundreds of characters behind it: of the
 * longest text that would take a part of a second, for each warning.
 */
export const partRead = (text: string): string =>
  text.length <= maxBeginning + maxEnd ? text : endsOf(squeeze(text), maxBeginning, maxEnd)

export interface Reading {
  /** As much as is read. */
  readonly text: string
  /** Distinct stems without stop words. */
  readonly terms: ReadonlySet<string>
  /** The words by which it stops, forbids, reverts or guards against something. */
  readonly prevents: string | undefined
  /** The words by which it skips a step or is careless about it. */
  readonly neglects: string | undefined
  /** The words by which it inspects, measures, asks or reports and changes nothing. */
  readonly looks: string | undefined
  /** The words by which it happens where nothing can be harmed: a sandbox, a copy, one's own branch. */
  readonly safely: string | undefined
  /** The words by which it affects production, the main branch or everybody. */
  readonly live: string | undefined
  /** What a sentence does, and to what; undefined of a command and where the verb is not known. */
  readonly step: Step | undefined
  readonly command: CommandForm | undefined
  /** A command, a call or a path rather than a sentence. */
  readonly isCommand: boolean
  readonly window: TimeWindow
}

const opening =
  /^(?:(?:\$|>|-|\*)\s+|(?:please|just|next:?|then|now|plan:|todo:?|i'?ll|i will|i'm going to|i am going to|i want to|we'?ll|we will|let'?s|let me|going to|(?:feat|fix|chore|docs|test|tests|ci|perf|refactor|build|style|revert|pre-commit|hooks?|codeowners|[\w.-]+\.(?:sh|py|ya?ml|json|toml|tf))(?:\([^)]*\))?!?:)\s+)+/i

const preventing =
  /^(?:do not|don'?t|never|no longer|stop(?! all| the (?:service|worker|server|daemon|container|job|machine|pump))|prevent|forbid|ban|block|disallow|reject|refuse|revoke|restrict|protect|guard|revert|undo|roll back|redact|scrub|mask|deny|prohibit|quarantine|lock|freeze|strip|hide|close port|abort (?:when|if)|fail (?:when|if|on)|alert (?:when|if|on|us)|warn|cancel|un(?:do|publish|install|share))\b|^(?:take|keep) .* (?:away|out|off|from)\b|\btoken revoke\b/i
const guarding =
  /^(?:add|set|put|write|create|turn on|switch on|enable|introduce|install|configure|make|let|require|have|give|teach|document|cap|limit|show|page|alert|decline|drop|remove|take|delete|disable|turn off|switch off)\b.*\b(?:checks?|guards?|rules?|hooks?|polic(?:y|ies)|lint\w*|alerts?|alarms?|limits?|protection|protected|warning|warns?|constraints?|trigger|codeowners|refuses?|rejects?|blocks?|fails?|forbids?|requires?|required|prevents?|forbidden|nobody|no one|only|permissions?|rights?|impossible|read-only|so that (?:it|they|nobody)|whenever|when (?:somebody|someone|anybody))\b/i
const neglecting =
  /\b(?:skip(?:ping)?|without|bypass(?:ing)?|ignor(?:e|ing)|don'?t (?:wait|bother|ask|check|need)|no need|not bother|anyway|straight (?:to|on|into|onto)|direct(?:ly)? (?:to|on|in|into|onto)|right away|at once|in one (?:go|step|pass)|all together|by hand|on my own|by (?:him|her|it|them)sel(?:f|ves)|myself|just this once|for now|saves? (?:time|us|me)|quicker|faster|overwrite|suppress|drop the (?:step|check)|leave out|instead of (?:waiting|asking)|can wait)\b|--(?:force|no-verify|yes|auto-approve|skip\S*|no-\S+|admin|insecure)\b|\s-(?:f|y|auto-approve)\b/i
const looking =
  /^(?:ask|check (?:how|whether|if|what|which|when|that)|compare|count|describe|diff|discuss|document|draw|estimate|explain|find|grep|inspect|list|look|measure|monitor|note|plot|preview|profile|read|remind|report|review|search|see|show|sketch|study|summari[sz]e|talk|tell|time|track|verify|watch|write (?:down|up|a (?:note|page|post|doc|summary|report|test))|benchmark|investigate|analy[sz]e|think|estimate|learn|view|export (?:a|the) (?:list|report))\b/i
/** Who writes what will do it neither looks nor tells. */
const programming =
  /^(?:write|draft|add|create|make|prepare)\b[^.;]{0,60}?\b(?:script|job|cron\w*|program|function|migration|workflow|pipeline|playbook|macro|bot|routine)\b[^.;]*\b(?:that|which|to)\b/i
const safely =
  /\b(?:staging|sandbox(?:es)?|scratch|throw-?away|disposable|locally|localhost|127\.0\.0\.1|local (?:copy|database|db|machine|cluster|checkout|branch|instance|container)|my (?:own )?(?:laptop|machine|desk|branch|draft|fork|account|test\w*|container|compose|checkout|copy|phone)|minikube|kind cluster|docker-compose|in docker|snapshot|restored|a copy|the copy|dry[- ]run|rehears\w+|simulat\w+|mock(?:ed)?|fixtures?|fake|dummy|synthetic|test (?:tenant|account|database|db|number|card|project|environment|server|instance|user|data)|demo (?:tenant|account|database|project)|dev (?:database|db|cluster|environment|box|namespace)|feature branch|feature\/\S+|draft|in a vm|virtual machine|playground|prototype|training (?:tenant|system))\b|\/tmp\/|--dry-run|(?<!:\/\/[\w.-]{0,80})\.local\b/i
const live =
  /\b(?:prod|production|live (?:site|system|shop|database|db|server|store|environment)|on main|to main|main branch|origin main|master|release branch|release\/\S+|customers?|everybody|everyone|all users|the whole (?:company|team|list|fleet))\b|(?:^|[-./@])prod(?:[-./\s]|$)/i

/** Whether a text names what is in use: production, the main branch, customers. */
export const namesLive = (text: string): boolean => live.test(text)

const wordsOf = (pattern: RegExp, text: string): string | undefined => pattern.exec(text)?.[0].trim()

/** Reads a text, or of a long one its part. */
export function read(whole: string): Reading {
  const text = partRead(whole)
  const plain = squeeze(text).replace(/’/g, "'").replace(opening, '').trim()
  const command = commandFormOf(plain)
  const written = isCommand(plain)
  const prevents = wordsOf(preventing, plain) ?? (guarding.test(plain) ? guardOf(plain) : undefined)
  const gently =
    (programming.test(plain) ? undefined : wordsOf(looking, plain)) ??
    (command?.effect === 'harmless' ? command.form : undefined)
  const step = written || programming.test(plain) ? undefined : toStep(plain)
  const told = step && /^(?:look|measure|tell)$/.test(step.group) ? plain.split(/\s+/, 1)[0] : undefined
  return {
    text,
    terms: new Set(toPlainTerms(text).filter((term) => !isStopTerm(term))),
    prevents,
    neglects: wordsOf(neglecting, plain),
    looks: prevents === undefined && command?.effect !== 'harmful' ? (gently ?? told) : undefined,
    safely: wordsOf(safely, plain),
    live: wordsOf(live, plain),
    step,
    command,
    isCommand: written,
    window: timeWindowOf(text),
  }
}

/** The words that make a sentence a guard: its verb, and what it puts up. */
function guardOf(plain: string): string {
  const [, verb = '', guard = ''] = /^(\w+).*?\b(\w+)$/s.exec(guarding.exec(plain)?.[0] ?? '') ?? []
  return `${verb.toLowerCase()} … ${guard.toLowerCase()}`
}
