/**
 * Questions about how things stand now ("what is the rate limit now", "the latest price"), and notes that tell of a change: of a
 * value and the one that took its place, words alone do not say which is meant. Knows English; nothing of ranking.
 */
import { monthNames } from '../core/calendar-words.ts'

const asking =
  /\b(?:now|current|currently|nowadays|today|these days|latest|newest|most recent|at present|presently|any ?more|still|at the moment|as of)\b|\bwhen\b.*\blast\b(?! (?:week|month|year|quarter|night|\w+day)\b)|\bthe last time\b|\bagain\?*$/i

/** Whether a question asks how things stand now. */
export const asksPresent = (question: string): boolean => asking.test(question)

const askingBack =
  /\b(?:used to|before|previous(?:ly)?|former(?:ly)?|old(?:er)?|earlier|original(?:ly)?|at first|back then|was|were|did|had|ago)\b/i

/** Whether a question asks how things were. */
export const asksPast = (question: string): boolean => askingBack.test(question)

/** Their beginnings, which any letters may follow. */
const month = monthNames.map((name) => name.slice(0, 3)).join('|')
/** Several, since one of all takes a command several times as long to compile. */
const changing = [
  String.raw`\b(?:moved|moves|raise[ds]|lowered|rose|risen|rises|(?:went|goes|gone|going) (?:up|down)|chang(?:e|ed|es)|switched|replaced)\b`,
  String.raw`\b(?:upgraded|updated?|took over|takes over|handed over|bumped|dropped|extended|shortened|reopened|used to|is back)\b`,
  String.raw`\b(?:now|no longer|any ?more|instead|as of|until (?:now|then)|to \d)\b`,
  String.raw`\b(?:from|since) (?:now|today|next|monday|\d{1,2}|(?:${month})[a-z]*)\b`,
  String.raw`\bnot\b[^.;]{2,40}\bbut\b|^(?:new|update)\b`,
].map((words) => new RegExp(words, 'iu'))

/** Longer notes tell of many things: one of them has nearly always changed. */
const longest = 320

/** Whether a short note tells that something became otherwise than it was. */
export const tellsChange = (note: string): boolean =>
  note.length <= longest && changing.some((words) => words.test(note))
