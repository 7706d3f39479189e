/**
 * Finds what is worth keeping verbatim from a session without a language model: lines that ask for it, sections of a
 * compaction's summary, commits, and what made a failing command pass. Pure: it reads text and returns notes.
 */
import { stepsOf } from '../core/shell.ts'
import { commitTag, fixTag, summaryTag } from '../core/tags.ts'
import { splitWords, stopWords } from '../core/words.ts'
import type { Commit } from './git.ts'
import { isReadOnly } from './read-only-commands.ts'
import { redactSecrets } from './secrets.ts'
import {
  forbids,
  isLasting,
  isProhibition,
  neverIn,
  statesRule,
  withoutLead,
  withoutOpening,
} from './standing-rules.ts'

/** Something to remember; with `caution` above 0 a flag. */
export interface CapturedNote {
  readonly text: string
  readonly caution: number
  readonly tags?: readonly string[]
}

/** Caution of a rule that a person states. */
const ruleCaution = 0.7

const maxNote = 2_000
/** Longer lines are pasted text rather than a sentence somebody means to be kept. */
const maxLine = 600
const maxNotes = 20

/** Removes what the person marked as not to be recorded. */
export const withoutPrivate = (text: string): string =>
  text
    .replace(/<private>[\s\S]*?(?:<\/private>|$)/gi, '')
    .split('\n')
    .filter((line) => !/(?:^|\s)#private\b/i.test(line))
    .join('\n')

/** Text that is quoted or code says what somebody else said. */
const withoutQuotes = (text: string): string =>
  text.replace(/^(```|~~~)[\s\S]*?(?:^\1.*$|$(?![\s\S]))/gm, '').replace(/^[ \t]*>.*$/gm, '')

/** A line without the marks of a list, a heading or emphasis around its first word. */
const withoutMarkup = (line: string): string =>
  line
    .trim()
    .replace(/^(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/, '')
    .replace(/^#{1,6}\s+/, '')
    .replace(/^(\*\*|__|\*|_)([^*_]+?)(:?)\1(:?)/, '$2$3$4')
    .trim()

const labelled = /^(?:remember|decision|decided|lesson|lesson learned|note to self|never|always)\s*:\s*\S/i
const asSentence =
  /^(?:remember (?:that|to|this)\b|(?:we |i |it was |i have |we have |i've |we've )?decided (?:that|to|against|on|not)\b|lesson learned\b|note to self\b|never\s+\w|always\s+\w)/i
/** Where a person asks for something to be kept in other words, at the beginning or anywhere in a sentence. */
const requests = [
  /^(?:remember (?=that|th[ei]s|these|those|for|our|we|it)|memori[sz]e|keep in mind|bear in mind|(?:do not|don['’]?t) forget(?! to\b)|notes? for (?:later|next time)|note\s*:|one thing to remember|for the record|for your (?:memory|notes)|make a note|take a note|(?:write|note) (?:it |this |that )?down|save (?:this|that)|one fact to keep)\b(?! (?:me|how|when|what|why|where)\b)/i,
  /\b(?:please|pls|plz|so) (?:remember|memori[sz]e)\b/i,
  /\b(?:save|record|write|put|keep|note|add)\b[^.:]{0,30}\b(?:decision|(?:your|our) (?:notes|memory)|in mind|down|somewhere|for later|for the future)\b/i,
  /\bwe(?: have|['’]ve)? (?:settled on|agreed|picked|chose|chosen)\b|\bdecision is\b|\b(?:is|have|has) decided?\b|\bwe(?:['’]re| are) going with\b|\boutcome of\b[^.]*:/i,
]
/** A request may be put as a question: "could you write down that …?". */
const asksKindly = /^(?:can|could|would|will) you\b/i

/** Behind these a full stop ends no sentence. */
const sentencesOf = (line: string): string[] =>
  line.split(
    /(?<=[.!?]["')]?)(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|nr|hr|fr|st|mr|mrs|dr)\.)\s+(?=[\p{L}"'`])/iu,
  )

/** A label of its own says nothing once the line stands by itself as a memory. */
const withoutLabel = (line: string): string => line.replace(/^(?:remember|note to self)\s*:\s*/i, '')

const clean = (text: string): string => redactSecrets(text).text.trim()

const cut = (text: string): string => {
  const points = [...text]
  return points.length <= maxNote ? text : `${points.slice(0, maxNote - 1).join('')}…`
}

/** They name nothing: "do not touch anything", "never say never". */
const vague = /^(?:(?:any|every|some|no)(?:thing|one)|never)$/

/** Whether two words at least say what about: "Never log passwords", and not "Do not stop". */
function namesSomething(text: string): boolean {
  const words = splitWords(withoutOpening(text).toLowerCase())
  return words.filter((word) => !stopWords.has(word) && !vague.test(word)).length > 1
}

/** Caution of a rule for good that a person states, 0 if it only asks for something; undefined of any other sentence. */
function ruleOf(sentence: string, besideTask: boolean): number | undefined {
  const { text, standing } = withoutLead(sentence)
  const forbidden = forbids(text) ? text : standing ? undefined : neverIn(text)
  if (!namesSomething(forbidden ?? text)) return undefined
  if (forbidden !== undefined) return isLasting(forbidden, { standing, besideTask }) ? ruleCaution : undefined
  return statesRule(text, standing) ? (isProhibition(text) ? ruleCaution : 0) : undefined
}

/** Fewest words of a sentence without a label that is worth keeping. */
const minWords = 4

/** Whether a text asks for something to be kept, and says what. */
const isRequest = (text: string): boolean =>
  requests.some((request) => request.test(text) && namesSomething(text.replace(request, ' ')))

function asksToBeKept(part: string, by: 'person' | 'agent'): boolean {
  if (labelled.test(part)) return namesSomething(part.replace(/^[a-z ]+:/i, ''))
  if (part.split(/\s+/).length < minWords) return false
  const { text } = by === 'person' ? withoutLead(part) : { text: part }
  const asks = part.endsWith('?')
  if (by === 'person' && (!asks || asksKindly.test(text)) && [part, text].some(isRequest)) return true
  if (asks) return false
  if (forbids(part) && !/^never forget\b/i.test(part))
    return by === 'agent' && /^never\b/i.test(part) && isLasting(part)
  return asSentence.test(text) && !/^always (?:happy|glad)\b/i.test(text)
}

/** Whether a sentence is neither a prohibition or a note, nor its reason. */
const isOther = (sentence: string): boolean => {
  const { text } = withoutLead(sentence)
  return (
    !forbids(text) &&
    !labelled.test(text) &&
    !/^(?:it|they|this|that|we|because|otherwise|since)\b/i.test(text)
  )
}

/** A labelled line is one note, whatever its sentences, but for its questions and the rules that a person adds to it. */
function partsOf(line: string, by: 'person' | 'agent'): string[] {
  const sentences = sentencesOf(line)
  if (!labelled.test(line)) return sentences
  const question = sentences.findIndex((sentence) => sentence.endsWith('?'))
  const [first = '', ...others] = question === -1 ? sentences : sentences.slice(0, question)
  const rules = by === 'person' ? others.filter((one) => ruleOf(one, false) !== undefined) : []
  return [[first, ...others.filter((one) => !rules.includes(one))].join(' '), ...rules]
}

/**
 * Lines and sentences that ask to be kept. Of a person also rules ("Never …", "Do not …", "nobody pushes to main here"),
 * which become flags if they forbid; a model says "do not" too easily to take its word for a warning.
 */
export function notesInMessage(message: string, by: 'person' | 'agent'): CapturedNote[] {
  const notes: CapturedNote[] = []
  const lines = withoutQuotes(withoutPrivate(message))
    .split('\n')
    .map(withoutMarkup)
    .filter((line) => line !== '')
  const besideTask =
    by === 'person' && lines.some((line) => line.length > maxLine || sentencesOf(line).some(isOther))
  for (const line of lines) {
    if (line.length > maxLine) continue
    for (const part of partsOf(line, by)) {
      const said = withoutLabel(part)
      const caution = by === 'person' ? ruleOf(said, besideTask) : undefined
      if (caution === undefined && !asksToBeKept(part, by)) continue
      notes.push({ text: cut(clean(said)), caution: caution ?? 0 })
    }
  }
  return notes.slice(0, maxNotes)
}

/** Sections that tell of the moment, or say again what was said: nothing that a later session wants to know. */
const passing = /^(?:all )?(?:user messages|current work|(?:optional )?next steps?|key technical concepts)\b/i

/** A section without the number and the marks of its heading, which say nothing where it stands alone. */
const withoutNumber = (section: string): string => section.replace(/^(#{1,6}\s+)?\d{1,2}\.\s+(?=[A-Z])/, '$1')

/** A compaction's summary, section by section; one without headings is cut at its paragraphs. */
export function notesInSummary(summary: string): CapturedNote[] {
  const text = withoutPrivate(summary)
    .replace(/<analysis>[\s\S]*?(?:<\/analysis>|$)/gi, '')
    .replace(/<\/?summary>/gi, '')
    .trim()
  const sections = text.split(/\n(?=#{1,6}\s|\*\*[^*\n]+\*\*:?\s*$|\d{1,2}\.\s+[A-Z][^\n]{2,60}:\s*$)/m)
  const pieces = sections.length > 1 ? sections : splitAtParagraphs(text)
  return pieces
    .map((piece) => cut(clean(withoutNumber(piece.trim()))))
    .filter((piece) => piece.split(/\s+/).length >= 6 && !passing.test(withoutMarkup(piece)))
    .map((piece) => ({ text: piece, caution: 0, tags: [summaryTag] }))
    .slice(0, maxNotes)
}

function splitAtParagraphs(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const paragraph of text.split(/\n\s*\n/)) {
    if (piece !== '' && piece.length + paragraph.length > maxNote) {
      pieces.push(piece)
      piece = ''
    }
    piece = piece === '' ? paragraph : `${piece}\n\n${paragraph}`
  }
  return piece === '' ? pieces : [...pieces, piece]
}

const maxPaths = 8
const maxCommands = 3
/** Maximum length: longer ones are programs in their own right. */
const maxCommand = 160

/** A commit as a note: subject, body, and which files it touched. */
export function noteOfCommit({ hash, subject, body, paths }: Commit): CapturedNote | undefined {
  if (/^(?:Merge (?:branch|pull request|remote-tracking)|fixup!|squash!|wip\b)/i.test(subject))
    return undefined
  const text = body
    .split('\n')
    .filter((line) => !/^[A-Za-z-]+-by:|^Change-Id:/.test(line))
    .join('\n')
    .trim()
  const more = paths.length > maxPaths ? ` and ${paths.length - maxPaths} more` : ''
  const touched = paths.length > 0 ? `Files: ${paths.slice(0, maxPaths).join(', ')}${more}` : ''
  const whole = [`Commit ${hash.slice(0, 10)}: ${subject}`, text, touched]
    .filter((part) => part !== '')
    .join('\n')
  return { text: cut(clean(whole)), caution: 0, tags: [commitTag] }
}

/** Lines that say only that something failed, that it may, or what was called. */
const empty =
  /^(?:(?:error:\s*)?(?:command failed|exit(?:ed with)? code|process exited|npm err! code|npm error code)\b[^:]*|(?:npm )?warn(?:ing)?\b.*|> .*)$/i

/** The line of a failed command's output that says what was wrong; its first where none says so. */
export function firstErrorLine(output: string): string {
  const all = output.split('\n').map((line) => line.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '').trim())
  const told = all.filter((line) => line !== '' && !empty.test(line))
  const known = told.length > 0 ? told : all
  const telling =
    known.find(opensAsError) ??
    known.find((line) => /\b(?:error|exception|fatal|failed|cannot|not found|denied|panic)\b/i.test(line))
  return (telling ?? known.find((line) => line !== '') ?? '').slice(0, 300)
}

/** Whether a line opens as errors do: what else has the word in it may be anything. */
export const opensAsError = (line: string): boolean =>
  /^(?:\[?\w[\w.]*(?:Error|Exception)\b|(?:error|fatal|panic)\b|[^\s:]+(?:\(\d+,\d+\)|:\d+(?::\d+)?): (?:fatal )?error\b)/i.test(
    line,
  )

/** What only prepares a command that follows: `cd /repo && npm test` is about `npm test`. */
const preparing = /^(?:cd|export|pushd|set|source|\.)$|^#/
/** A value may be quoted, or stand as what was taken out of it. */
const assignments = /^(?:\w+=(?:"[^"]*"|'[^']*'|\[redacted: [^\]]*\]|[^\s"'])*(?:\s+|$))+/

/** The program that a command runs, with its first plain word: `npm test` of `cd app && CI=1 npm test -- x`; '' for none. */
function programOf(command: string): string {
  for (const { text } of stepsOf(command)) {
    const [program = '', next = ''] = text
      .replace(/^[\s({]+/, '')
      .replace(assignments, '')
      .split(/[\s(){}]+/)
    if (program === '' || preparing.test(program)) continue
    return /^[a-z][\w:-]*$/i.test(next) ? `${program} ${next}` : program
  }
  return ''
}

/** A command that failed and has not passed since. */
export interface Failure {
  readonly command: string
  readonly error: string
}

/** Whether a command that passed says that what failed passes now. */
export function mends(passed: string, failure: Failure): boolean {
  const program = programOf(passed)
  return program !== '' && program === programOf(failure.command)
}

const inOrder = (parts: readonly string[]): string => new Intl.ListFormat('en').format(parts)

/** What failed in a session, and what was done since the oldest of these failures. */
export interface Attempts {
  readonly failures: readonly Failure[]
  /** Paths that were written. */
  readonly edited: readonly string[]
  /** Commands that passed and did more than look. */
  readonly ran: readonly string[]
}

/** As much of a session's past as is looked back on. */
const maxFailures = 10
const maxEdited = 20
const maxRan = 5
/** Characters of a command or a path: what is longer is a script, of which a week later nothing would be said. */
const maxKept = 2_000

/** After a command failed; of one that fails again the last error counts. */
export function afterFailure<T extends Attempts>(before: T, failure: Failure): T {
  const [command, error] = [failure.command.slice(0, maxKept), failure.error.slice(0, maxKept)]
  const others = before.failures.filter((one) => one.command !== command)
  return { ...before, failures: [...others, { command, error }].slice(-maxFailures) }
}

/** Before files are written; the same where nothing failed, or no file is new. */
export function beforeEdit<T extends Attempts>(before: T, paths: readonly string[]): T {
  const fresh = paths.filter((path) => path.length <= maxKept && !before.edited.includes(path))
  if (before.failures.length === 0 || fresh.length === 0) return before
  return { ...before, edited: [...new Set([...before.edited, ...fresh])].slice(-maxEdited) }
}

/** After a command passed, and what is worth keeping of what it mended; the same where nothing failed. */
export function afterPass<T extends Attempts>(
  before: T,
  command: string,
): { state: T; notes: CapturedNote[] } {
  const mended = before.failures.filter((one) => mends(command, one))
  if (mended.length > 0) {
    const notes = mended.map((one) => noteOfFix(one, command, before)).filter((note) => note !== undefined)
    const failures = before.failures.filter((one) => !mended.includes(one))
    return { state: { ...before, failures, ...(failures.length === 0 && { edited: [], ran: [] }) }, notes }
  }
  if (before.failures.length === 0 || command.length > maxKept || isReadOnly({ name: 'shell', command }))
    return { state: before, notes: [] }
  const ran = [...before.ran.filter((one) => one !== command), command].slice(-maxRan)
  return { state: { ...before, ran }, notes: [] }
}

/** What made a failed command pass. */
function noteOfFix(failure: Failure, passed: string, { edited, ran }: Attempts): CapturedNote | undefined {
  const did = ran.filter((command) => command.length <= maxCommand)
  const steps = [
    ...did.slice(-maxCommands).map((command) => `\`${command}\``),
    ...(edited.length > 0 ? [`changes to ${edited.slice(0, maxPaths).join(', ')}`] : []),
  ]
  const changed = steps.length > 0 ? `after ${inOrder(steps)}` : ''
  const otherwise = passed === failure.command ? '' : `as \`${passed}\``
  const how = [otherwise, changed].filter((part) => part !== '').join(' ')
  // Passing by itself says nothing about why it failed.
  if (how === '' || failure.error === '') return undefined
  const text = `\`${failure.command}\` failed with "${failure.error}" and then passed ${how}.`
  return { text: cut(clean(text)), caution: 0, tags: [fixTag] }
}
