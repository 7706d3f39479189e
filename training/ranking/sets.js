/**
 * Questions and the notes that answer them, of several hands: what ranking is fitted on and judged by. Each set is
 * { notes, queries: [{ query, kind, gold: [places of notes] }] }; `fillers` are unrelated texts for large brains.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createRandom } from '../../bench/notes.js'

export function shuffle(values, random) {
  const all = [...values]
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    ;[all[at], all[other]] = [all[other], all[at]]
  }
  return all
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const lines = (text) => text.trim().split('\n').map((line) => JSON.parse(line))
const readPairs = (shared, name) =>
  lines(gunzipSync(readFileSync(join(shared, 'embedder/pairs', `${name}.jsonl.gz`))).toString())

/** A set of `{ query, answers }`, with other notes to find them among. */
function gatherSet(pairs, others, { kind, size }) {
  const notes = []
  const places = new Map()
  const add = (text) => {
    if (!places.has(text)) places.set(text, notes.push(text) - 1)
    return places.get(text)
  }
  const queries = pairs.map(({ query, answers }, at) => ({ id: `${kind}${at}`, query, kind, gold: answers.map(add) }))
  for (const text of others) {
    if (notes.length >= size) break
    add(text)
  }
  return { notes, queries }
}

function readMixed(shared) {
  const { notes, queries } = readJson(join(shared, 'dev/mixed.json'))
  const places = new Map(notes.map(({ id }, at) => [id, at]))
  return {
    notes: notes.map(({ text }) => text),
    queries: queries.map(({ id, query, kind, gold }) => ({ id, query, kind, gold: gold.map((note) => places.get(note)) })),
  }
}

function readNotes(shared) {
  const { notes, queries, distractors } = readJson(join(shared, 'embedder/dev/notes.json'))
  return {
    notes: [...notes, ...distractors],
    queries: queries.map((query, at) => ({ id: `n${at}`, query, kind: 'paraphrase', gold: [at] })),
  }
}

/** Turns of meetings, and questions that were asked about them. */
function readMeetings(shared, random) {
  const rows = readPairs(shared, 'qmsum')
  const byQuery = new Map()
  for (const { k, a, b } of rows) {
    if (k === 'query-turn' && b.length > 30 && b.length < 500) byQuery.set(a, [...(byQuery.get(a) ?? []), b])
  }
  const pairs = shuffle(byQuery, random)
    .slice(0, 150)
    .map(([query, answers]) => ({ query, answers: answers.slice(0, 4) }))
  const turns = rows.filter(({ k, b }) => k === 'turn' && b.length > 20 && b.length < 300).map(({ b }) => b)
  return gatherSet(pairs, shuffle(turns, random), { kind: 'meeting', size: 900 })
}

/** Questions of fact and the sentences that answer them, among turns of chats. */
function readFacts(shared, random) {
  const rows = readPairs(shared, 'xquad_qed').filter(({ k, b }) => k === 'qa' && b.length < 400)
  const pairs = shuffle(rows, random)
    .slice(0, 250)
    .map(({ a, b }) => ({ query: a, answers: [b] }))
  const turns = readPairs(shared, 'topicalchat').map(({ b }) => b)
  const others = shuffle(turns.filter((text) => text.length > 20 && text.length < 300), random)
  return gatherSet(pairs, others, { kind: 'fact', size: 700 })
}

const readFolder = (shared, folder, names) =>
  readdirSync(join(shared, folder))
    .filter((name) => name.endsWith('.jsonl') && (names === undefined || names.includes(name[0])))
    .sort()
    .flatMap((name) => lines(readFileSync(join(shared, folder, name), 'utf8')))

/** Notes, and the same said again in other words. */
function readRelations(shared, random) {
  const rows = readFolder(shared, 'dev/relations')
  const pairs = rows
    .filter(({ relation }) => relation === 'same')
    .map(({ older, newer }) => ({ query: newer, answers: [older] }))
  return gatherSet(shuffle(pairs, random).slice(0, 240), rows.map(({ older }) => older), {
    kind: 'same',
    size: 240,
  })
}

/** Warnings, and plans that fall under them. */
function readPlans(shared, random) {
  const rows = readFolder(shared, 'dev/judge', 'abcdef')
  const pairs = rows
    .filter(({ label }) => label === 1)
    .map(({ flag, plan }) => ({ query: plan, answers: [flag] }))
  return gatherSet(shuffle(pairs, random).slice(0, 250), rows.map(({ flag }) => flag), {
    kind: 'plan',
    size: 300,
  })
}

const conversationFolder = new URL('conversations/', import.meta.url)

/** Long conversations of two friends each, with questions about them, written for this by others: a list of their sessions' turns and questions. */
export function readConversations() {
  return ['one', 'two', 'three', 'four'].map((name) => {
    const rows = lines(readFileSync(new URL(`${name}.jsonl`, conversationFolder), 'utf8'))
    const turns = rows.flatMap(({ turn, at, text }) => (turn ? [{ id: turn, session: turn.slice(0, 3), written: Date.parse(at), text }] : []))
    const places = new Map(turns.map(({ id }, at) => [id, at]))
    const queries = rows.flatMap(({ question, evidence, kind }, at) =>
      question ? [{ id: `${name}${at}`, query: question, kind, gold: evidence.map((id) => places.get(id)) }] : [],
    )
    return { name, turns, queries }
  })
}

/** All conversations in one brain, one after the other. */
function gatherConversations() {
  const gathered = { notes: [], written: [], queries: [] }
  for (const { turns, queries } of readConversations()) {
    const from = gathered.notes.length
    gathered.notes.push(...turns.map(({ text }) => text))
    gathered.written.push(...turns.map(({ written }) => written))
    gathered.queries.push(...queries.map((query) => ({ ...query, gold: query.gold.map((at) => from + at) })))
  }
  return { ...gathered, now: Math.max(...gathered.written) + 86_400_000 }
}

/** The lines of every file of a folder beside this one, by their names. */
const readFiles = (folder) => {
  const url = new URL(folder, import.meta.url)
  return readdirSync(url).sort().map((file) => ({ file, rows: lines(readFileSync(new URL(file, url), 'utf8')) }))
}

/**
 * Worlds of fifty notes, each with a hundred questions, a quarter of which no note answers though one is near, written for this by
 * others: a letter a writer. Nothing is fitted to those of `unseenWriters`.
 */
export const unseenWriters = ['a', 'g']
export const readWorlds = () => readBrains('questions/')

/**
 * Sets of 200 notes and 136 questions of all kinds, written for this by others on 27 and 28 November 2026. Those in `apart/`, by four writers,
 * measure, and nothing is ever fitted to them; scores are fitted to those in `hands/`, two each by four others.
 */
export const readApart = () => readBrains('apart/')
export const readHands = () => readBrains('hands/')

/** Each file of a folder a brain by itself. */
function readBrains(folder) {
  return readFiles(folder).map(({ file, rows }) => {
    const name = file.replace('.jsonl', '')
    const notes = rows.filter(({ note }) => note)
    const places = new Map(notes.map(({ note }, at) => [note, at]))
    const queries = rows.flatMap(({ question, kind, gold }, at) =>
      question ? [{ id: `${name}-${at - notes.length + 1}`, query: question, kind, gold: gold.map((id) => places.get(id)) }] : [],
    )
    return { name, isUnseen: unseenWriters.includes(file[0]), notes: notes.map(({ text }) => text), queries }
  })
}

/**
 * Brains in which facts change, written for this by others: `changes/`, whose questions ask for changed facts in the present tense, for
 * one of two things that are alike, and for how it was before; and `updates/`, topics of an older note each, its update and two later
 * notes that leave it true. Each is { notes, written, queries: [{ query, kind, gold, old }] }. Nothing is fitted to them but the bounds of
 * `src/search/newer.ts`.
 */
export function readChanges() {
  const brains = readFiles('changes/').map(({ rows }) => {
    const notes = rows.filter(({ note }) => note)
    const places = new Map(notes.map(({ note }, at) => [note, at]))
    const placesOf = (ids = []) => ids.map((id) => places.get(id))
    return {
      notes: notes.map(({ text }) => text),
      written: notes.map(({ at }) => Date.parse(at)),
      queries: rows.flatMap(({ question, kind, gold, old }) => (question ? [{ query: question, kind, gold: placesOf(gold), old: placesOf(old) }] : [])),
    }
  })
  const day = 86_400_000
  const topics = readFiles('updates/').map(({ rows }) => {
    const later = { older: 0, update: 60, sibling: 50, more: 40 }
    const kinds = Object.keys(later)
    return {
      notes: rows.flatMap((row) => kinds.map((kind) => row[kind])),
      written: rows.flatMap((_, at) => kinds.map((kind) => Date.UTC(2026, 4, 1) + (later[kind] + (at % 20)) * day)),
      queries: rows.map(({ question }, at) => ({ query: question, kind: 'among three later notes', gold: [4 * at + 1], old: [4 * at] })),
    }
  })
  return [...brains, ...topics]
}

/** Logs of one author each (`training/night/alone`), with questions about what their notes tell. */
export const readLogs = () =>
  readFiles('logs/').map(({ file, rows }) => {
    const notes = lines(readFileSync(new URL(`../night/alone/alone-${file}`, import.meta.url), 'utf8'))
    const places = new Map(notes.map(({ id }, at) => [id, at]))
    const placesOf = (ids) => ids.map((id) => places.get(id))
    return {
      notes: notes.map(({ text }) => text),
      written: notes.map((note) => Date.parse(note.created_at)),
      queries: rows.map(({ question, kind, gold, old }) => ({ query: question, kind, gold: placesOf(gold), old: placesOf(old) })),
    }
  })

/** The diary of the tests, with its clock. */
function readDiary({ diary, misspelt, dated, today }) {
  const noon = (date) => Date.parse(`${date}T12:00:00Z`)
  const toQuery = (kind) => (question, at) => ({
    id: `${kind}${at}`,
    query: question.query,
    kind,
    gold: [diary.findIndex(({ text }) => text.startsWith(question.answer))],
  })
  return {
    notes: diary.map(({ text }) => text),
    written: diary.map(({ on }) => noon(on)),
    now: noon(today),
    queries: [...misspelt.map(toQuery('typo')), ...dated.map(toQuery('temporal'))],
  }
}

const fillerSources = {
  commits_rails_rails: 1200, 'commits_openstack_nova': 900, 'commits_rust-lang_cargo': 800, commits_curl_curl: 700,
  commits_sqlalchemy_sqlalchemy: 400, 'commits_alphagov_govuk-puppet': 700, docs_govuk: 600, docs_react: 500,
  docs_owasp: 400, docs_sqlalchemy: 300, docs_18f: 500, dstc8: 1000, topicalchat: 700, qmsum: 500, masc: 500,
  reviews: 400, recipes: 300, templates: 200, tldr: 300, reno_openstack: 200, intents: 200, openstax_business: 200,
}

/** Texts as short as notes that have nothing to do with any question: for brains of 1,000 and 10,000. */
function readFillers(shared, random) {
  const found = new Set()
  for (const [name, count] of Object.entries(fillerSources)) {
    const texts = readPairs(shared, name)
      .map(({ b }) => b.replaceAll(/\s+/g, ' ').trim())
      .filter((text) => text.length >= 30 && text.length <= 280)
    for (const text of shuffle(new Set(texts), random).slice(0, count)) found.add(text)
  }
  return shuffle(found, random)
}

/** All sets; undefined where the development sets are not there. */
export function readSets(shared, sources) {
  if (!existsSync(join(shared, 'dev/mixed.json'))) return undefined
  const random = createRandom(7)
  return {
    sets: {
      mixed: readMixed(shared),
      notes: readNotes(shared),
      meeting: readMeetings(shared, random),
      facts: readFacts(shared, random),
      same: readRelations(shared, random),
      plans: readPlans(shared, random),
      diary: readDiary(sources),
      conversation: gatherConversations(),
    },
    fillers: readFillers(shared, random),
  }
}
