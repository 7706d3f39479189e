/**
 * A daemon with something in it, and a real browser that is signed in to its page. Without a Chromium (CHROME_PATH, or on
 * the PATH) what needs one is skipped, and counted as skipped.
 */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished } from 'vitest'
import { fillWithDemo } from '../../src/cli/demo-fill.ts'
import type { viewNames } from '../../src/page/view-names.ts'
import { browser as program } from '../hostile/installed-browser.ts'
import { openDaemon, type TestDaemon, type TestDaemonOptions } from '../http/daemon.ts'

/** Skips what is inside where there is no browser. */
export const describeInBrowser = describe.skipIf(program === undefined)

type View = (typeof viewNames)[number]
export type Theme = 'light' | 'dark'
export const wide = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

let launched: Promise<Browser> | undefined

/** One browser for a file of tests; every test has a profile of its own. */
function launch(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: program ?? 'no browser',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP *.example 127.0.0.1'],
  })
  return launched
}

afterAll(async () => {
  const browser = await launched?.catch(() => undefined)
  launched = undefined
  await browser?.close()
})

/** A profile of its own: no cookies, nothing kept. */
export async function newProfile(): Promise<BrowserContext> {
  const context = await (await launch()).newContext({ viewport: wide, reducedMotion: 'reduce' })
  // What can be undone can be for six seconds or ten, and a busy machine may be away for as long: here it is ten times that.
  await context.addInitScript(`{
    const start = setTimeout
    window.setTimeout = (work, after) => start(work, after === 6_000 || after === 10_000 ? 10 * after : after)
  }`)
  onTestFinished(() => context.close())
  return context
}

/** A fresh code, as `brain open` asks for one. */
export async function newCode({ url, key }: Pick<TestDaemon, 'url' | 'key'>): Promise<string> {
  const response = await fetch(`${url}/session/code`, {
    method: 'POST',
    headers: { 'x-svc-key': key, 'content-type': 'application/json' },
    body: '{}',
  })
  const { code } = (await response.json()) as { code: string } // The endpoint's answer, shown in sign-in.test.ts.
  return code
}

export interface Visit {
  readonly page: Page
  /** What the page's console and scripts complained of. */
  readonly complaints: string[]
}

/** A tab that tells what goes wrong in it. */
export async function newTab(context: BrowserContext): Promise<Visit> {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return { page, complaints }
}

/** A tab that has signed in. */
export async function signIn(daemon: TestDaemon, context?: BrowserContext): Promise<Visit> {
  const visit = await newTab(context ?? (await newProfile()))
  await visit.page.goto(`${daemon.url}/#code=${await newCode(daemon)}`)
  await visit.page.getByRole('navigation', { name: 'Views' }).waitFor()
  return visit
}

/** A daemon over the demo's brain, with an observation and two dreams besides; whoever starts it stops it. */
export async function openDemo(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const directory = mkdtempSync(join(tmpdir(), 'brain-page-'))
  const daemon = await openDaemon(directory, options)
  const caller = { project: 'default', agent: 'default' }
  await fillWithDemo(daemon.brain, caller, Date.now())
  const { observations, dreams } = daemon.brain.store
  await observations.add('default', {
    observerAgent: 'reviewer',
    subjectAgent: 'ops',
    observation: 'Restarts first and reads the log after',
    kind: 'pattern',
    createdAt: Date.now(),
  })
  await dreams.addMany('default', [
    {
      kind: 'bridge',
      thought: 'The disk of db-07 fills up on the nights of the export',
      sourceMemoryIds: [7, 40],
      novelty: 0.8,
      createdAt: Date.now(),
      reasons: ['both name db-07'],
    },
    {
      kind: 'echo',
      thought: 'The season import comes round again',
      sourceMemoryIds: [10],
      novelty: 0.6,
      createdAt: Date.now(),
    },
  ])
  return {
    ...daemon,
    stop: async () => {
      await daemon.stop()
      await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** Goes to a view and waits until it shows what it has, and what is open beside it. */
export async function goTo(page: Page, address: string): Promise<void> {
  // The page hears of its new address later, and draws for it later still: what is there before is the view it leaves.
  await page.evaluate(`new Promise((drawn) => {
    const before = location.hash
    location.hash = ${JSON.stringify(address)}
    if (location.hash === before) drawn()
    else addEventListener('hashchange', () => requestAnimationFrame(() => setTimeout(drawn)), { once: true })
  })`)
  await page.locator('main h1').waitFor()
  await expect.poll(() => page.locator('.skeleton, [aria-busy="true"]').count()).toBe(0)
}

/** Waits until a view that was gone to has the focus where it begins: moved a moment later, it would take a key's. */
export const beginning = (page: Page, view: View): Promise<void> =>
  page.locator(view === 'search' ? '#query:focus' : 'main h1:focus').waitFor()

/** What axe-core finds on a page, a line each. */
export async function judge(page: Page): Promise<string[]> {
  const findings: unknown = await page.evaluate(`(async () => {
    if (!window.axe) { ${axe.source} }
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) => id + ': ' + target.join(' ') + ' ' + (any[0]?.message ?? '')))
  })()`)
  return Array.isArray(findings) ? findings.map(String) : ['axe did not answer']
}
