/**
 * What a step does and to what: "add" and "an index to the customer table". A closed list of English verbs in groups
 * that do alike. Knows words and no similarity; where the list is silent, there is no answer.
 */
import { stem } from './stem.ts'
import { isStopTerm } from './words.ts'

/** Verbs grouped by what they do; a gentle one, which leaves a thing as it was, also lists what it certainly does not do. */
const groups: readonly (readonly [name: string, unlike: string, verbs: string])[] = [
  [
    'look',
    'end stop start alter hand scale',
    `check compare examine fetch find inspect list look preview print query read review search see show verify view
     visit watch`,
  ],
  [
    'measure',
    'end stop start alter hand scale',
    'benchmark count estimate measure monitor observe profile track',
  ],
  [
    'tell',
    'end stop start alter scale',
    `ask comment describe discuss document draw explain label mention note present quote report sketch summarise summarize
     teach write`,
  ],
  [
    'keep',
    'end stop start alter scale',
    'archive backup export keep preserve protect renew save secure store',
  ],
  [
    'add',
    'end stop start',
    'add append attach build create design draft extend insert introduce make prepare provision',
  ],
  [
    'end',
    '',
    `clean clear delete destroy drop empty erase flush kill lose nuke overwrite prune purge remove reset revert truncate
     uninstall unmount wipe`,
  ],
  [
    'stop',
    '',
    'block cancel close detach halt interrupt invalidate leave pause revoke shut skip stop suspend terminate',
  ],
  ['start', '', 'execute launch reboot rerun restart resume retry run start trigger'],
  [
    'alter',
    '',
    `adjust alter amend change convert copy disable edit enable fix force migrate modify move patch rebase refactor reformat
     rename replace rewrite rotate set swap switch touch transfer turn update`,
  ],
  [
    'hand',
    '',
    `commit deploy email expose give grant hand invite leak mail merge open post publish push release roll send share ship
     upload`,
  ],
  ['scale', '', 'bump decrease downgrade increase install lower raise reduce resize scale upgrade'],
]

const namesOf = (list: string): string[] => list.split(/\s+/).filter((name) => name !== '')

let groupsByStem: ReadonlyMap<string, string> | undefined

/** Created for the first topic: most commands never need it. */
function groupOf(verb: string): string | undefined {
  groupsByStem ??= new Map(
    groups.flatMap(([name, , verbs]) => namesOf(verbs).map((own) => [stem(own), name] as const)),
  )
  return groupsByStem.get(stem(verb))
}

const unlike: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  groups.map(([name, others]) => [name, new Set(namesOf(others))]),
)

/** Words before an action that only say that it will be done, or that it must not be. */
const openings = new Set('avoid going lets need never please plan planning try trying want'.split(' '))
/** Before the verb that they forbid; what only denies a noun, as "no" and "without" do, forbids no act. */
const negators = new Set('avoid never not dont mustnt cannot cant'.split(' '))

interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
}

function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: word, index } of text.matchAll(/[A-Za-z][A-Za-z'’]*/g)) {
    words.push({
      text: word.toLowerCase().replace(/['’]/g, ''),
      start: index,
      end: index + word.length,
    })
  }
  return words
}

const groupOfWord = (word: Word): string | undefined => groupOf(word.text)
const isOpening = ({ text }: Word): boolean => isStopTerm(text) || openings.has(text)

/** A text that begins with an action: the group of its verb, and the object. */
export interface Step {
  readonly group: string
  /** The text without its verb. */
  readonly object: string
  /** Groups of what it certainly does not do: it is gentler, and none of its words is theirs. */
  readonly unlike: ReadonlySet<string>
}

/** The step that a text names; undefined when it does not begin with a known verb, or consists of nothing else. */
export function toStep(text: string): Step | undefined {
  const words = wordsOf(text)
  const at = words.findIndex((word) => !isOpening(word))
  const [first, next] = at < 0 ? [] : words.slice(at)
  // What is written to somebody is sent, what is written or checked into a place changes it: none of these only tells or looks.
  const into = words.some((word) => word.text === 'into')
  const sends =
    (first?.text === 'write' && (into || /^(?:to|over)$/.test(next?.text ?? ''))) ||
    (first?.text === 'check' && (into || next?.text === 'in'))
  const group = sends ? 'hand' : first && groupOfWord(first)
  if (first === undefined || group === undefined) return undefined
  if (!words.some((word) => word.start > first.start && !isOpening(word))) return undefined
  const object = `${text.slice(0, first.start)}${text.slice(first.end)}`.trim()
  // "Check it into git" looks at nothing.
  if (into) return { group, object, unlike: new Set() }
  const own = new Set(words.map(groupOfWord))
  return { group, object, unlike: new Set([...(unlike.get(group) ?? [])].filter((other) => !own.has(other))) }
}

/** Groups of what a warning says not to do: the verb it begins with, one after "not", one that ends in "-ing". */
function warnedOf(words: readonly Word[]): Set<string> {
  const first = words.find((word) => !isOpening(word))
  const warned = words.filter(
    (word, at) => word === first || word.text.endsWith('ing') || negators.has(words[at - 1]?.text ?? ''),
  )
  return new Set(warned.map(groupOfWord).filter((group) => group !== undefined))
}

/**
 * Whether a step certainly does not do what `warning` warns of: it looks, measures, reports, keeps or adds, the
 * warning names an action of another kind, and neither uses a word of the other's kind. False whenever that is not
 * certain.
 */
export function isGentlerThan(step: Step, warning: string): boolean {
  if (step.unlike.size === 0) return false
  const words = wordsOf(warning)
  const warned = warnedOf(words)
  return (
    warned.size > 0 &&
    [...warned].every((group) => step.unlike.has(group)) &&
    words.every((word) => groupOfWord(word) !== step.group)
  )
}

/** Whether the action that a step begins with is of another kind than those that `warning` says not to take. */
export const doesOther = (step: Step, warning: string): boolean => !warnedOf(wordsOf(warning)).has(step.group)
