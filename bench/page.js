/**
 * What the page costs a person: `node bench/page.js 100000`. The first view of a fresh document, a keystroke until the results
 * of that very question are on screen, and frames that were due while the timeline is scrolled without a pause, as Chromium's own
 * trace judges them; beside them what a busy machine changes little, the processor time of the page's main thread.
 * Takes the browser of CHROME_PATH, or the first Chromium on the PATH. `BUILD=DIR` measures the build of another
 * checkout.
 */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { brainOf, command, startDaemon } from './brains.js'
import { cleanEnvironment, printMachine, printTable, quantile } from './measure.js'
import { createNotes } from './notes.js'

const sizes = process.argv.slice(2).map(Number)
const views = 15
const questions = 30
/** How far the timeline is scrolled, in pixels, and how many of them a second. */
const distance = 15_000
const speed = 3_000

const executablePath =
  process.env.CHROME_PATH ||
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((directory) => ['chromium', 'google-chrome'].map((name) => join(directory, name)))
    .find((file) => existsSync(file))

async function codeOf({ url, key }) {
  const response = await fetch(`${url}/session/code`, {
    method: 'POST',
    headers: { 'x-svc-key': key, 'content-type': 'application/json' },
    body: '{}',
  })
  return (await response.json()).code
}

/** Milliseconds from the start of navigation until `selector` was painted, in a profile that is signed in. */
async function firstView(page, address, selector) {
  await page.goto('about:blank')
  await page.goto(address)
  await page.locator(selector).first().waitFor()
  return page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0))),
  )
}

/** Milliseconds from a keystroke until the results of that very question were painted. */
async function keystroke(page, question) {
  const field = page.getByRole('searchbox')
  const answerTo = (asked) =>
    page.waitForResponse(
      (response) =>
        response.url().endsWith('/v1/recall/explain') && response.request().postDataJSON().query === asked,
    )
  const before = question.slice(0, -1)
  await Promise.all([answerTo(before), field.fill(before)])
  await page.waitForFunction(() => document.querySelector('[aria-busy="false"] .results'))
  await page.waitForTimeout(120)
  await page.evaluate(() => {
    window.results = 0
    let asked = false
    addEventListener('keydown', () => (window.pressed = performance.now()), { once: true })
    new MutationObserver((_, observer) => {
      // The answer that is shown is of an earlier question until this has been true.
      asked ||= document.querySelector('[aria-busy="true"]') !== null
      if (!asked || document.querySelector('[aria-busy="false"] .results') === null) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => (window.results = performance.now()), 0))
    }).observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true })
  })
  const [response] = await Promise.all([answerTo(question), field.press(question.at(-1))])
  await page.waitForFunction(() => window.results > 0)
  const told = await page.evaluate(() => ({ took: window.results - window.pressed, at: window.results }))
  const { startTime } = response.request().timing()
  const answeredAt = startTime - (await page.evaluate(() => performance.timeOrigin))
  if (answeredAt > told.at) throw new Error(`measured before "${question}" was asked`)
  return told.took
}

/** Processor time of the main thread, in milliseconds, of the events of a trace. */
function mainThreadTime(events) {
  const mains = new Set(
    events.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  )
  const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && mains.has(`${pid} ${tid}`))
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur / 1_000, 0)
}

/** Frames while the timeline is scrolled without a pause, as the browser's trace judges them. */
async function scroll(browser, page) {
  await page.evaluate(() => (location.hash = '#/timeline'))
  await page.locator('.line').first().waitFor()
  await page.waitForTimeout(500)
  const session = await page.context().newCDPSession(page)
  await browser.startTracing(page, { categories: ['cc', 'benchmark', 'toplevel'] })
  await session.send('Input.synthesizeScrollGesture', {
    ...{ x: 640, y: 500, yDistance: -distance, speed, gestureSourceType: 'mouse', preventFling: true },
  })
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8'))
  const frames = new Map()
  for (const { name, ph, args } of traceEvents) {
    const frame = args?.frame_reporter
    if (name !== 'PipelineReporter' || ph !== 'b' || frame === undefined) continue
    if (frame.scroll_state === 'SCROLL_NONE' || frame.state === 'STATE_NO_UPDATE_DESIRED') continue
    const key = `${frame.frame_source} ${frame.frame_sequence}`
    const known = frames.get(key) ?? { presented: false, dropped: false, bare: false, threaded: false }
    const presented = frame.state !== 'STATE_DROPPED'
    frames.set(key, {
      presented: known.presented || presented,
      // Chromium's own judgement: something that moves did not.
      dropped: known.dropped || (!presented && frame.affects_smoothness === true),
      bare: known.bare || (presented && frame.has_missing_content === true),
      threaded: known.threaded || frame.scroll_state === 'SCROLL_COMPOSITOR_THREAD',
    })
  }
  const all = [...frames.values()]
  return {
    due: all.length,
    dropped: all.filter(({ dropped }) => dropped).length,
    bare: all.filter(({ bare }) => bare).length,
    threaded: all.filter(({ threaded }) => threaded).length,
    main: mainThreadTime(traceEvents) / ((distance / speed) * 60),
  }
}

printMachine()
const rows = []
for (const size of sizes) {
  const { directory } = await brainOf(size)
  spawnSync(process.execPath, [command, 'reindex'], { cwd: directory, env: cleanEnvironment })
  const daemon = await startDaemon(directory)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await page.goto(`${daemon.url}/#code=${await codeOf(daemon)}`)
  await page.getByRole('searchbox').waitFor()
  const search = []
  const timeline = []
  for (let view = 0; view < views; view += 1) {
    search.push(await firstView(page, `${daemon.url}/#/search`, '.empty-title'))
    timeline.push(await firstView(page, `${daemon.url}/#/timeline`, '.line'))
  }
  await page.goto('about:blank')
  await page.goto(`${daemon.url}/#/search`)
  const notes = createNotes(11)
  const strokes = []
  await keystroke(page, notes.query())
  for (let asked = 0; asked < questions; asked += 1) strokes.push(await keystroke(page, notes.query()))
  const frames = await scroll(browser, page)
  rows.push([
    size,
    quantile(search, 0.5),
    quantile(timeline, 0.5),
    quantile(strokes, 0.5),
    quantile(strokes, 0.95),
    frames.due,
    frames.dropped,
    frames.threaded,
    frames.main,
  ])
  await browser.close()
  await daemon.stop()
}
printTable(
  'The page, milliseconds',
  [
    'memories',
    'first view, search',
    'first view, timeline',
    'keystroke to results',
    'its p95',
    'frames due while scrolling',
    'not presented',
    'scrolled beside the page',
    'main thread, processor ms a frame',
  ],
  rows,
)
