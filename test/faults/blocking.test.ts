/** How long one request keeps everybody else waiting: the processor time between two turns of the event loop. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { keepMemory } from '../../src/operations/embedding.ts'
import { call, startTestDaemon } from '../http/daemon.ts'

/** What Linux knows of the calling thread: nanoseconds that it ran are the first number. */
const schedule = '/proc/thread-self/schedstat'
const tellsThreads = existsSync(schedule)

/**
 * Milliseconds of this thread's own work, so that neither a busy machine nor the threads that embed count. Where only the
 * process is known, all of its work.
 */
const worked = (): number => {
  if (tellsThreads) return Number.parseInt(readFileSync(schedule, 'utf8'), 10) / 1_000_000
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Milliseconds of work that the reference takes on the machine for which the promise is made. */
const referenceWork = 20

/** How much slower this machine is than that one; never less than 1. */
function slowness(): number {
  const runs = [1, 2, 3].map(() => {
    const started = worked()
    let mixed = 1
    for (let at = 0; at < 20_000_000; at += 1) mixed = (Math.imul(mixed, 1_664_525) + at) >>> 0
    // Read, so that the loop is not optimised away.
    return worked() - started + (mixed === 0.5 ? 1 : 0)
  })
  return Math.max(1, Math.min(...runs) / referenceWork)
}

/** The longest turn of the event loop while `work` goes on, in milliseconds of work. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = worked()
  let done = false
  const watch = (): void => {
    const now = worked()
    longest = Math.max(longest, now - last)
    last = now
    if (!done) setImmediate(watch)
  }
  setImmediate(watch)
  await work()
  done = true
  return longest
}

const words = Array.from({ length: 4_000 }, (_, at) => `word${at.toString(36)}`)
const pick = (at: number): string => words[(at * 7_919) % words.length] ?? ''
const textOf = (bytes: number, from: number): string => {
  const parts: string[] = []
  for (let at = from, length = 0; length < bytes - 12; at += 1) {
    parts.push(pick(at))
    length += pick(at).length + 1
  }
  return parts.join(' ')
}

it('no request keeps the others waiting for more than 100 milliseconds of work', async () => {
  const daemon = await startTestDaemon({ config: { embedder: 'builtin' } })
  const caller = { project: 'default', agent: 'default' }
  const context = daemon.brain.context(caller)
  await Promise.all(
    Array.from({ length: 300 }, (_, at) => keepMemory(context, { text: textOf(180, at * 17), caution: 0 })),
  )
  const target = { url: daemon.url, key: daemon.key }
  const requestsWith = (text: string): Record<string, [string, object?]> => ({
    'remember the longest text': ['/v1/remember', { text }],
    'recall by the longest query': ['/v1/recall', { query: text, limit: 50 }],
    'recall by a long query': ['/v1/recall', { query: text.slice(0, 8_000) }],
    'recall of a time': ['/v1/recall', { query: 'what did we do today' }],
    'assess the longest topic': ['/v1/assess', { topic: text }],
    'believe the longest text': ['/v1/believe', { text }],
    'refuse the longest body': ['/v1/remember', { text: 'x'.repeat(1_048_000) }],
    'refuse a body of many members': [
      '/v1/remember',
      Object.fromEntries(Array.from({ length: 80_000 }, (_, at) => [`m${at}`, 1])),
    ],
    state: ['/v1/state'],
  })
  // Once without measuring: what is loaded and compiled at the first call is not the request's own.
  for (const [path, body] of Object.values(requestsWith(textOf(8_192, 1))))
    await call(target, path, body ? { body } : {})
  const turns: Record<string, number> = {}
  for (const [name, [path, body]] of Object.entries(requestsWith(textOf(65_536, 1)))) {
    turns[name] = Math.round(await longestTurn(() => call(target, path, body ? { body } : {})))
  }
  // As they would come together when the lock was held by another process meanwhile.
  turns['keep 64 of the longest texts that waited together'] = Math.round(
    await longestTurn(() =>
      Promise.all(
        Array.from({ length: 64 }, (_, at) =>
          daemon.brain.store.memories.add('default', {
            text: textOf(65_536, at),
            caution: 0,
            agent: 'default',
            createdAt: 1,
          }),
        ),
      ),
    ),
  )
  // Run from its sources the embedder works on this very thread, a passage at a time; a daemon has threads for it.
  const embedder = await context.embedders.configured()
  const started = worked()
  await embedder.embedTexts([textOf(700, 9)])
  const most = 100 * slowness() + (worked() - started)
  const slow = Object.fromEntries(Object.entries(turns).filter(([, longestOne]) => longestOne > most))
  expect(slow).toEqual({})
})
