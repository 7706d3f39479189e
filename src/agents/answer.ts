/**
 * What the brain does at each event of an agent's session: tells the model what it should know, checks dangerous
 * steps, and captures what is worth keeping. Knows neither an agent's dialect nor the process it runs in.
 */
import { describeFault } from '../config/file-faults.ts'
import { reasonOf } from '../core/errors.ts'
import { endsOf } from '../core/excerpt.ts'
import { headingOf, toLine } from '../operations/block.ts'
import type { Context } from '../operations/operation.ts'
import { isWorthTelling, type MemoryIds, writeBlock } from '../operations/prime.ts'
import { recall } from '../operations/recall.ts'
import {
  afterFailure,
  afterPass,
  beforeEdit,
  type CapturedNote,
  type Failure,
  firstErrorLine,
  noteOfCommit,
  notesInMessage,
  notesInSummary,
  opensAsError,
} from './capture.ts'
import { gate } from './gate.ts'
import { findWork, readCommitsSince, readHead } from './git.ts'
import type { HookCall, HookReply } from './hooks/dialect.ts'
import { asksSomething, type IdleHost } from './idle.ts'
import { keepNotes } from './keep.ts'
import { revealCheck } from './live-check.ts'
import { redactSecrets } from './secrets.ts'
import { clearOldSessions, readSession, type SessionState, writeSession } from './session-state.ts'
import { giveBack, putAside, removeWaiting, takeWaiting } from './waiting-notes.ts'

export interface HookHost extends IdleHost {
  readonly context: Context
  /** The agent's name, as `brain setup` takes it. */
  readonly agent: string
  /** Told of what could not be kept: the answer is given all the same. */
  readonly fault: (error: unknown) => Promise<void>
  /** What git says of the work at hand, where it was asked before the brain was opened. */
  readonly work?: Promise<string | undefined> | undefined
}

/** A hook that the agent waits for has 300 ms in all: how many of them git is given once nothing else is to be done. */
const gitTimeout = 60

/** What git says of the work, unless it takes too long. */
async function inTime(work: Promise<string | undefined>): Promise<string | undefined> {
  let alarm: NodeJS.Timeout | undefined
  const tooLate = new Promise<undefined>((settle) => {
    alarm = setTimeout(settle, gitTimeout, undefined)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(alarm))
}

const maxRecalled = 3
const maxRecalledText = 360
const maxRecalledBytes = 400 * 3
const maxCommits = 20

/** Does what the agent does not wait for; undefined where it fails, as in a brain that is locked or cannot be written. */
async function attempt<T>({ fault }: HookHost, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    await fault(error)
    return undefined
  }
}

/** Reads the session, lets `work` change it, and saves it if it changed. */
async function inSession<T>(
  host: HookHost,
  call: HookCall,
  work: (state: SessionState) => Promise<{ reply: T; state: SessionState }>,
): Promise<T> {
  const before = readSession(host.brain, call.session)
  const { reply, state } = await work(before)
  if (state !== before && call.session !== '')
    await attempt(host, async () => writeSession(host.brain, call.session, state))
  return reply
}

/** What a session has before it, of the brain that is asked and of the person's own beside it. */
const knownTo = (
  { shown, shownOwn, summarised }: SessionState,
  { own = false }: Pick<Context, 'own'>,
): MemoryIds => (own ? { here: shownOwn, beside: [] } : { here: [...summarised, ...shown], beside: shownOwn })

const contextOf = (text: string): HookReply => (text === '' ? {} : { context: text })

/** The block for the start of a session, and the updated session. */
async function primeFor(
  { context, work }: HookHost,
  directory: string | undefined,
  state: SessionState,
): Promise<{ text: string; state: SessionState }> {
  const asked = work ?? (directory === undefined ? undefined : findWork(directory))
  const known = asked && (() => inTime(asked))
  const { text, memories } = await writeBlock(context, known, { except: knownTo(state, context) })
  const own = context.own === true
  return {
    text,
    state: {
      ...state,
      shown: [...state.shown, ...(own ? [] : memories.here)],
      shownOwn: [...state.shownOwn, ...(own ? memories.here : memories.beside)],
    },
  }
}

async function start(host: HookHost, call: HookCall): Promise<HookReply> {
  clearOldSessions(host.brain, host.context.now())
  return inSession(host, call, async (before) => {
    // An agent may begin anew under the name of a session before.
    const known = call.fresh ? { ...before, shown: [], shownOwn: [], warned: [] } : before
    const [{ text, state }, head] = await Promise.all([
      primeFor(host, call.directory, known),
      call.directory === undefined ? undefined : readHead(call.directory),
    ])
    const check = revealCheck(host.brain, host.agent, host.context.now())
    return {
      reply: contextOf([text, check].filter((part) => part !== '').join('\n')),
      state: { ...state, head: state.head ?? head ?? null, compacted: false },
    }
  })
}

/** What recall finds in one brain that the session has not been shown. */
async function findNew(context: Context, query: string, shown: readonly number[]) {
  const { mode, results } = await recall.run(context, { query })
  const worth = results.filter((found) => isWorthTelling(found, mode))
  // What may have replaced it is told with it, however unlike the question it is.
  const told = new Set(worth.flatMap(({ id, newer }) => [id, ...(newer ?? [])]))
  return results
    .filter(({ id }) => told.has(id) && !shown.includes(id))
    .map((item) => ({ ...item, own: context.own === true }))
}

/** Memories about a question that this session has not seen, as lines for the model, and the updated session. */
async function recallNew(
  context: Context,
  query: string,
  state: SessionState,
): Promise<{ text: string; state: SessionState }> {
  const { timeless = false } = context
  const personal = await context.personal?.()
  const known = knownTo(state, context)
  const found = await Promise.all([
    findNew(context, query, known.here),
    ...(personal === undefined ? [] : [findNew({ ...personal, timeless }, query, known.beside)]),
  ])
  const best = found
    .flat()
    .sort((a, b) => b.score - a.score)
    .slice(0, maxRecalled)
  const sections = new Map<boolean, string[]>()
  const shown = { own: [...state.shownOwn], project: [...state.shown] }
  let bytes = 0
  for (const { id, text, created_at, caution, own } of best) {
    const kind = caution > 0 ? 'flag' : 'memory'
    const { text: line } = toLine({ kind, id, at: Date.parse(created_at), text, limit: maxRecalledText })
    const lines = [...(sections.get(own) ?? [headingOf({ own })]), line]
    bytes += Buffer.byteLength(sections.has(own) ? line : lines.join('\n')) + 1
    if (bytes > maxRecalledBytes) break
    sections.set(own, lines)
    shown[own ? 'own' : 'project'].push(id)
  }
  const told = [false, true].flatMap((own) => sections.get(own) ?? [])
  if (told.length === 0) return { text: '', state }
  return { text: told.join('\n'), state: { ...state, shown: shown.project, shownOwn: shown.own } }
}

/**
 * Characters of a prompt that are asked about, since what is pasted stands between: to read more of it takes longer
 * than a hook has.
 */
const [asksFirst, asksLast] = [400, 200]

async function onPrompt(host: HookHost, call: HookCall): Promise<HookReply> {
  const prompt = call.prompt ?? ''
  const reply = await answerPrompt(host, call, prompt)
  // After the answer: what the prompt itself says need not be told back.
  const lost = host.capture.lines ? await keepOwn(host, call, notesInMessage(prompt, 'person')) : undefined
  if (lost === undefined) return reply
  const told = `brain could not keep what this prompt wants remembered; tell the person: ${lost}`
  return { ...reply, context: reply.context === undefined ? told : `${reply.context}\n${told}` }
}

/** What a session that said some notes knows of them: until a compaction they need not be told back to it, nor warned of. */
const knowing = (state: SessionState, kept: readonly number[]): SessionState =>
  kept.length === 0
    ? state
    : { ...state, shown: [...state.shown, ...kept], warned: [...state.warned, ...kept] }

/** What became of notes. */
interface Keeping {
  /** Ids of what is kept. */
  readonly kept: readonly number[]
  /** Why the notes are lost; they may also have been put aside. */
  readonly lost?: string
}

const nothingKept: Keeping = { kept: [] }

/** Keeps some notes, or puts them aside until they can be kept. */
async function keep(host: HookHost, notes: readonly CapturedNote[]): Promise<Keeping> {
  const kept = await attempt(host, () => keepNotes(host.context, notes))
  if (kept !== undefined) return { kept }
  try {
    putAside(host.brain, notes, host.context.now())
    return nothingKept
  } catch (error) {
    await host.fault(error)
    return { ...nothingKept, lost: describeFault(error) ?? reasonOf(error) }
  }
}

/** Keeps what an earlier hook could not, as of when it was said. */
async function keepWaiting(host: HookHost): Promise<void> {
  await attempt(host, async () => {
    const taken = await takeWaiting(host.brain, host.context.now())
    try {
      for (const waiting of taken) {
        await keepNotes({ ...host.context, now: () => waiting.at }, waiting.notes)
        removeWaiting(waiting)
      }
    } finally {
      for (const waiting of taken) giveBack(waiting)
    }
  })
}

/** Keeps notes that the session itself said; returns why they are lost where they are. */
async function keepOwn(
  host: HookHost,
  call: HookCall,
  notes: readonly CapturedNote[],
): Promise<string | undefined> {
  const { kept, lost } = await keep(host, notes)
  if (kept.length > 0)
    await inSession(host, call, async (state) => ({ reply: undefined, state: knowing(state, kept) }))
  return lost
}

async function answerPrompt(host: HookHost, call: HookCall, prompt: string): Promise<HookReply> {
  if (!host.listens.includes('prompt')) return {}
  return inSession(host, call, async (state) => {
    const again = state.compacted ? await primeFor(host, call.directory, state) : { text: '', state }
    const found = asksSomething(prompt)
      ? await recallNew(host.context, endsOf(prompt, asksFirst, asksLast), again.state)
      : { text: '', state: again.state }
    const text = [again.text, found.text].filter((part) => part !== '').join('\n')
    return {
      reply: contextOf(text),
      state: state.compacted ? { ...found.state, compacted: false } : found.state,
    }
  })
}

async function beforeTool(host: HookHost, call: HookCall): Promise<HookReply> {
  const { tool } = call
  if (tool === undefined) return {}
  const found = await gate(host.context, { tool, directory: call.directory }, host.gate)
  return inSession<HookReply>(host, call, async (before) => {
    const { paths = [] } = tool
    const state = beforeEdit(before, paths)
    if (found === undefined) return { reply: {}, state }
    if (found.danger) return { reply: { gate: found.reply }, state }
    // What is only near is said once a session: said again it would be read no more.
    if (state.warned.includes(found.flag)) return { reply: {}, state }
    return { reply: { gate: found.reply }, state: { ...state, warned: [...state.warned, found.flag] } }
  })
}

async function onFailure(host: HookHost, call: HookCall, failure: Failure): Promise<HookReply> {
  return inSession(host, call, async (before) => {
    const state = afterFailure(before, failure)
    if (!host.listens.includes('after-tool')) return { reply: {}, state }
    const found = await recallNew({ ...host.context, timeless: true }, failure.error, state)
    return { reply: contextOf(found.text), state: found.state }
  })
}

async function onPass(host: HookHost, call: HookCall, command: string): Promise<HookReply> {
  return inSession(host, call, async (before) => {
    const { state, notes } = afterPass(before, command)
    const { kept } = host.capture.fixes ? await keep(host, notes) : nothingKept
    return { reply: {}, state: knowing(state, kept) }
  })
}

async function afterTool(host: HookHost, call: HookCall): Promise<HookReply> {
  const { tool } = call
  if (tool?.command === undefined) return {}
  // What the session remembers of it lies on the disk for days.
  const command = redactSecrets(tool.command).text
  const output = redactSecrets(tool.output ?? '').text
  const { failed } = tool
  if (failed === false) return onPass(host, call, command)
  const error = firstErrorLine(output)
  if (error === '') return {}
  if (failed === true) return onFailure(host, call, { command, error })
  // Where the agent does not say, what opens as an error is asked about, and nothing is concluded from it.
  if (!opensAsError(error)) return {}
  return inSession(host, call, async (state) => {
    const found = await recallNew({ ...host.context, timeless: true }, error, state)
    return { reply: contextOf(found.text), state: found.state }
  })
}

/** Commits made since the session began, or since they were last kept. */
async function keepCommits(host: HookHost, call: HookCall): Promise<void> {
  const { directory } = call
  if (directory === undefined || !host.capture.commits) return
  await inSession(host, call, async (state) => {
    const head = await readHead(directory)
    if (head === undefined || head === state.head) return { reply: undefined, state }
    const commits =
      state.head === null ? [] : await readCommitsSince(directory, state.head, { limit: maxCommits })
    // What git could not tell in time is asked for again at the next end.
    if (commits === undefined) return { reply: undefined, state }
    const notes = commits.map(noteOfCommit).filter((note): note is CapturedNote => note !== undefined)
    // What could not be kept is tried again at the next end.
    const kept = await attempt(host, () => keepNotes(host.context, notes))
    return { reply: undefined, state: kept === undefined ? state : { ...knowing(state, kept), head } }
  })
}

async function atEnd(host: HookHost, call: HookCall): Promise<HookReply> {
  if (host.capture.lines && call.lastMessage !== undefined) {
    await keepOwn(host, call, notesInMessage(call.lastMessage, 'agent'))
  }
  await keepCommits(host, call)
  await keepWaiting(host)
  return {}
}

async function afterCompaction(host: HookHost, call: HookCall): Promise<HookReply> {
  const { kept } =
    host.capture.summaries && call.summary !== undefined
      ? await keep(host, notesInSummary(call.summary))
      : nothingKept
  await keepCommits(host, call)
  await keepWaiting(host)
  return inSession(host, call, async (state) => ({
    reply: {},
    state: {
      ...state,
      compacted: true,
      shown: [],
      shownOwn: [],
      warned: [],
      summarised: [...state.summarised, ...kept],
    },
  }))
}

/** Answers one hook call. @throws whatever the brain throws; the caller keeps it from the agent. */
export function answerHook(host: HookHost, call: HookCall): Promise<HookReply> {
  switch (call.moment) {
    case 'start':
      return start(host, call)
    case 'prompt':
      return onPrompt(host, call)
    case 'before-tool':
      return beforeTool(host, call)
    case 'after-tool':
      return afterTool(host, call)
    case 'compacted':
      return afterCompaction(host, call)
    case 'turn-end':
    case 'end':
      return atEnd(host, call)
    case 'nothing':
      return Promise.resolve({})
  }
}
