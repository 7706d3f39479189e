/**
 * A closed table of commands that destroy, overwrite or expose, and of those that only inspect or rehearse. Knows the
 * syntax of common tools; it makes no statement about other commands, and never judges intentions.
 */

import { mentions } from '../patterns.ts'
import { stepsOf } from '../shell.ts'

export interface CommandForm {
  readonly effect: 'harmful' | 'harmless'
  /** The part of the text that was recognised. */
  readonly form: string
}

const kubectlAlike = '(?:kubectl|oc)(?: -\\S+(?: [^-\\s]\\S*)?){0,12}'

/** Inspecting, listing, rehearsing: matched before the harmful ones, since a dry run names what it rehearses. */
const harmless: readonly RegExp[] = [
  /--dry-run(?!=false)|--check-only|--whatif|\s--noop\b/i,
  /\bgit (?:-C \S+ )?(?:log|status|diff|show|blame|fetch|ls-remote|ls-files|shortlog|reflog|bisect|worktree list|remote -v|stash list|tag (?:-l|--list)|branch(?: -[avr]+)?(?:$|[|&;]| --list)|clean -[a-z]*n)/,
  new RegExp(`\\b${kubectlAlike} (?:get|describe|logs|top|explain|diff|events|version|auth can-i)\\b`),
  /\bdocker (?:ps|images|logs|inspect|stats|info|version|history|top|(?:compose|container|image|volume|network) (?:ps|ls|logs|config|inspect))\b/,
  /\b(?:terraform|tofu|terragrunt)(?: -\S+){0,12} (?:plan|validate|fmt|show|output|graph|providers|state (?:list|show))\b/,
  /\bhelm (?:list|ls|status|get|history|template|lint|diff|show|search)\b/,
  /\baws (?:--\S+ \S+ ){0,12}\S{1,80} (?:ls|list-\S+|describe-\S+|get-(?!secret)\S+|head-\S+)/,
  /\bgcloud \S+(?: \S+)? (?:list|describe)\b|\baz \S+(?: \S+)? (?:list|show)\b|\bgh \S+ (?:list|view|status|diff|checks)\b/,
  /\bredis-cli\b.{0,400}(?:--(?:scan|bigkeys|memkeys)|\b(?:info|dbsize|ttl|exists|type|strlen))\b/i,
  /\b(?:npm|pnpm|yarn) (?:ls|list|view|info|outdated|audit(?! fix)|why|pack|test|run (?:test|lint|check))\b|\bpip (?:list|show|freeze|check)\b/,
  /^(?:\$ |sudo |[`"])*(?:ls|cat|less|head|tail|grep|rg|wc|stat|du|df|ps|top|htop|find(?!.*-(?:delete|exec))|dig|nslookup|ping|journalctl|uptime|file|diff|md5sum|sha256sum)\s/,
  /\bsystemctl (?:status|list-\S+|show|is-active|cat)\b/,
  /\bEXPLAIN\b(?! *\(? *ANALYZE)|\bSHOW (?:CREATE|TABLES|COLUMNS|INDEX|PROCESSLIST)\b|\bSELECT\b(?!.{0,1000}\b(?:INTO|FOR UPDATE|DELETE|DROP|UPDATE)\b).{0,1000}\b(?:COUNT\(|LIMIT \d|max\(|min\()/i,
]

// Bounded stretches, two of them up to the next command: else a text of one command repeated takes minutes.
const ofOneGit = String.raw`(?:(?!\bgit\b).){0,400}`
const harmful: readonly RegExp[] = [
  new RegExp(
    String.raw`\bgit\b${ofOneGit}\bpush\b${ofOneGit}(?:\s--force(?![-\w])|\s-[a-z]*f\b|\s--force-with-lease|\s--mirror|\s\+\S|\s--delete\b|\s:\S)`,
  ),
  /\bgit\b.{0,400}\b(?:reset --hard|clean -[a-z]*[fdx]|filter-(?:branch|repo)|branch -D|stash (?:drop|clear)|reflog expire|gc --prune|checkout -- \.|restore \.)/,
  new RegExp(String.raw`\bgit\b${ofOneGit}\b(?:commit|push|merge)\b${ofOneGit}(?:--no-verify|\s-n\b)`),
  new RegExp(
    `\\b${kubectlAlike} (?:delete|drain|cordon|scale|rollout (?:restart|undo)|replace --force|taint|set (?:image|env))\\b`,
  ),
  /\bdocker\b.{0,400}(?:\b(?:rm|rmi|kill) |\bprune\b|\bdown\b(?:(?!\bdown\b).){0,400}(?:\s-v\b|--volumes)|\bvolume rm\b|--privileged)/,
  /\b(?:terraform|tofu|terragrunt)(?: -\S+){0,12} (?:destroy|apply|taint|state (?:rm|mv|push)|force-unlock|import)\b/,
  /\bhelm (?:uninstall|delete|rollback|upgrade)\b/,
  /\b(?:DROP (?:TABLE|DATABASE|SCHEMA|INDEX|COLUMN|USER|ROLE)|TRUNCATE|DELETE FROM|ALTER TABLE|VACUUM FULL|REINDEX|GRANT ALL|UPDATE \S+ SET)\b/i,
  /\bredis-cli\b.{0,400}\b(?:flushall|flushdb|keys|del|unlink|shutdown|config set|debug)\b/i,
  /\baws\b.{0,400}(?:\brm\b|\brb\b|\bdelete-\S+|\bterminate-\S+|\bstop-\S+|--delete\b|\bput-bucket-\S+|authorize-security-group|attach-\S+-policy)/,
  /\bgcloud\b.{0,400}\b(?:delete|reset)\b|\baz\b.{0,400}\b(?:delete|purge)\b|\bgh\b.{0,400}(?:\bdelete\b|\bpr merge\b(?:(?!\bpr merge\b).){0,400}--admin)/,
  /\b(?:npm|pnpm|yarn) (?:publish|unpublish|deprecate|audit fix --force|(?:install|i|add)\b.{0,400}\s(?:--force|--legacy-peer-deps|-g)\b)/,
  /\brm\s+(?:-\S+\s+){0,12}-[a-z]*[rf]|\brm\s+--(?:recursive|force)|\bshred\b|\bmkfs\b|\bwipefs\b|\bfind\b.{0,400}-delete\b/i,
  /\bdd\b.{0,400}\bof=|\bchmod\b.{0,400}(?:777|a\+rwx|o\+w)|\bchown -R\b|\bkill(?:all)? -9\b|>\s*\/dev\/sd/,
  /\bcurl\b.{0,400}(?:-X ?|--request )(?:DELETE|PUT|PATCH)\b/,
  /\bsystemctl (?:stop|restart|disable|mask|kill)\b|\b(?:shutdown|reboot|poweroff)\b(?! (?:of|the|a)\b)|\bufw disable\b|\biptables -F\b|\bcrontab -r\b/,
]

const firstOf = (table: readonly RegExp[], text: string): string | undefined => {
  for (const form of table) {
    const found = form.exec(text)?.[0].trim()
    if (found) return found
  }
  return undefined
}

/** Steps that do nothing by themselves. */
const idle = /^\s*(?:cd|echo|export|pwd|set|sleep|true)\b|^\s*$/

/** What one command does, preferring a dry run or inspection to what it also names. */
function stepFormOf(text: string): CommandForm | undefined {
  const step = text.trim()
  const gentle = firstOf(harmless, step)
  if (gentle !== undefined) return { effect: 'harmless', form: gentle }
  const grave = firstOf(harmful, step)
  return grave === undefined ? undefined : { effect: 'harmful', form: grave }
}

/** What is loaded and run unread. */
const intoShell = /\b(?:curl|wget)\b[^|]{0,1000}\|\s*(?:sudo )?(?:ba|z)?sh\b/

/**
 * The command form found in a text: of several commands a harmful one, if there is one, and a harmless one only where all
 * are, but for what their output is piped into; undefined if there is none.
 */
export function commandFormOf(text: string): CommandForm | undefined {
  const unread = intoShell.exec(text)?.[0]
  if (unread !== undefined) return { effect: 'harmful', form: unread }
  const steps = stepsOf(text, 'apart')
  if (steps.length === 1) return stepFormOf(text)
  const grave = steps.map((step) => stepFormOf(step.text)).find((form) => form?.effect === 'harmful')
  if (grave !== undefined) return grave
  const forms = stepsOf(text)
    .filter((step) => !idle.test(step.text))
    .map((step) => stepFormOf(step.text))
  return forms.every((form) => form?.effect === 'harmless') ? forms[0] : undefined
}

/** A chain of commands without those that only look, which read like a harmless plan; a text that has no others as it is. */
export function withoutLooks(text: string): string {
  const steps = stepsOf(text).map((step) => step.text.trim())
  const grave = steps.filter((step) => stepFormOf(step)?.effect !== 'harmless')
  const acts = grave.some((step) => !idle.test(step))
  return acts && grave.length < steps.length ? grave.join(' && ') : text
}

/** Forcing a tool, as a warning names it. */
const forced =
  /(?<!\b(?:in|into|brute|task|work)[ -])\bforc(?:e|ed|ing)\b|\breset --hard\b|\bhard reset\b|--no-verify\b|\bamend|\brm -[rf]/i
/** What a command may force or sweep away by; more than that, since a command that forces must not pass for another. */
const forces =
  /--?(?:force|hard|no-verify|amend|mirror|delete|prune|recursive|all|yes)|\s-[a-z]*[fry]\b|\s-D\b|\b(?:commit|push|merge)\b.*\s-n|\s[+:]\S|\*/i
const forceable =
  /^(?:[$>]\s+|`|sudo\s+)*(git|npm|pnpm|yarn|docker|podman|kubectl|helm|terraform|cargo|pip|rm|apt|apt-get|brew|systemctl)\s+[a-z][\w-]*/

/**
 * The command that a plan is, if that forces nothing and the warning, without what followed from it, is of forcing that
 * tool; undefined otherwise.
 */
export function unforcedIn(plan: string, warning: string): string | undefined {
  const [command, tool = ''] = forceable.exec(plan) ?? []
  if (command === undefined || forces.test(plan) || !forced.test(warning)) return undefined
  // "Force-push" needs no name.
  return tool === 'git' || new RegExp(`\\b${tool}\\b`, 'i').test(warning) ? command : undefined
}

/** Branches that warnings protect. */
const branch = /\b(?:main|master|trunk|develop|prod(?:uction)?|staging|releases?)\b/gi
/** Steps that change no other place; more than those, a merge of such a branch into one's own. */
const localSteps = /^(?:add|commit|checkout|switch|branch|pull|fetch|rebase|stash|status|log|diff|show)$/
const gitStep = /^(?:[$>]\s+|`)?git\s+([a-z-]+)\s*([^`]*)/

/** How a push is forced, and warnings that spare no branch. */
const forcing = /\s(?:--force(?:-with-lease(?:=\S+)?)?|-f)(?=\s|$)/g
const ofAnyBranch = /\b(?:any|all|every|shared|common|others?|others'|protected|public|remote|branches)\b/i

/** What a warning says and the branches that it says not to push to; undefined if it says nothing of pushing to one. */
function pushBanOf(warning: string): { told: string; bans: (ref: string) => boolean } | undefined {
  const told = warning.replace(/\b(?:pull|merge) requests?\b/gi, '')
  const branches = (told.match(branch) ?? []).map((name) => name.toLowerCase())
  if (branches.length === 0 || !/\bpush/i.test(told)) return undefined
  const banned = new RegExp(`^(?:refs/|heads/|origin/)*(?:${branches.join('|')})(?![\\w-])`, 'i')
  return { told, bans: (ref) => banned.test(ref) }
}

/**
 * The push in a plan that goes to a branch which the warning, not one of forcing, says not to push to; undefined if
 * there is none.
 */
export function pushedIn(plan: string, warning: string): string | undefined {
  const ban = forced.test(warning) ? undefined : pushBanOf(warning)
  const pushes = plan.matchAll(/\bgit push (?:-\S+ )*[\w.-]+ (?:[\w/-]+:)?([\w./-]+)/g)
  return ban && [...pushes].find(([, ref = '']) => ban.bans(ref))?.[0]
}

/**
 * The git commands that a plan is, if they push nothing, or another branch than those that the warning says not to push
 * to; undefined otherwise.
 */
export function unpushedIn(plan: string, warning: string): string | undefined {
  const ban = pushBanOf(warning)
  if (ban === undefined) return undefined
  const { told, bans } = ban
  const spares = (step: string): boolean => {
    const [found, name = '', rest = ''] = gitStep.exec(step) ?? []
    if (found === undefined) return false
    // Of one branch that nobody may force another may be forced.
    const mild = name === 'push' && !ofAnyBranch.test(told) ? step.replaceAll(forcing, '') : step
    if (forces.test(mild)) return false
    const places = rest.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'))
    if (name === 'push') {
      const [, ref = 'HEAD'] = places
      return places.length === 2 && /^[\w./-]+$/.test(ref) && ref !== 'HEAD' && !bans(ref)
    }
    // Whatever else stands on the line may push as well.
    if (/\bpush/i.test(rest) || new RegExp(`\\b${name}`, 'i').test(told)) return false
    return localSteps.test(name) || (name === 'merge' && places.some(bans))
  }
  return stepsOf(plan).every((step) => spares(step.text.trim())) ? plan : undefined
}

/** Whether a text is a command, a call or a path rather than a sentence. */
export const isCommand = (text: string): boolean =>
  /[{}|<>`$=]|(?:^|\s)--?[A-Za-z]|\/[\w.-]+\/|\w\(|;\s*\w|&&/.test(text) || commandFormOf(text) !== undefined

/** What a statement takes away whole, and a warning of taking away. */
const takesWhole =
  /\b(?:DROP\s+(?:TABLE|DATABASE|SCHEMA|VIEW)(?:\s+IF\s+EXISTS)?|TRUNCATE(?:\s+TABLE)?|DELETE\s+FROM)\s+(?:ONLY\s+)?["'`]?([\w.]+)/gi
const ofTakingAway = /\b(?:delet|drop|truncat|wip(?:e|ing)|purg|eras|remov|destroy)\w*/i

/** The statement in a plan that takes away all of what a warning of taking away names; undefined without one. */
export function destroyedIn(plan: string, warning: string): string | undefined {
  if (!ofTakingAway.test(warning) || /\bWHERE\b/i.test(plan)) return undefined
  return [...plan.matchAll(takesWhole)].find(([, what = '']) => mentions(warning, what))?.[0]
}
