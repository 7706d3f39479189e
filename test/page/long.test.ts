/** A hundred thousand records: the timeline scrolls through all of them, and holds no more than it shows. */

import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDatabase } from '../../src/store/sqlite/binding.ts'
import { openDaemon, type TestDaemon } from '../http/daemon.ts'
import { beginning, describeInBrowser, goTo, signIn } from './browser.ts'

/** What Chromium's trace says of a frame. */
interface Frame {
  readonly scroll_state?: string
}

const many = 100_000
const start = Date.parse('2026-01-01T00:00:00Z')

describeInBrowser('a brain of a hundred thousand records', () => {
  let daemon: TestDaemon
  let directory: string

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'brain-page-'))
    daemon = await openDaemon(directory)
    await daemon.brain.store.memories.add('default', {
      text: 'note 1',
      caution: 0,
      agent: 'default',
      createdAt: start,
    })
    // In one statement, where operations would take a minute: the timeline reads nothing but these rows.
    const database = loadDatabase(join(directory, 'brain.db'))
    database.exec(`WITH RECURSIVE place(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM place WHERE n < ${many})
      INSERT INTO memory (project_id, text, terms, caution, agent, created_at)
      SELECT 1, 'note ' || n, 'note', 0, 'agent ' || n % 7, ${start} + n * 60000 FROM place;
      UPDATE project SET memories = ${many}`)
    database.close()
  })
  afterAll(async () => {
    await daemon?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const rows = (page: Page) => page.getByRole('list', { name: 'Records, newest first' }).getByRole('listitem')

  test('shows the newest at once, jumps to the oldest, and keeps only what is in sight', async () => {
    const { page } = await signIn(daemon)
    await goTo(page, '#/timeline')
    await page.getByText(`note ${many}`, { exact: true }).waitFor()
    await page.getByText('100,000 records').waitFor()
    expect(await rows(page).count()).toBeLessThan(80)
    await beginning(page, 'timeline')
    await page.getByRole('link', { name: `note ${many}` }).focus()
    await page.keyboard.press('End')
    await page.getByText('note 1', { exact: true }).waitFor()
    expect(await rows(page).count()).toBeLessThan(80)
  })

  test('scrolled from end to end, every place shows its own record', async () => {
    const { page } = await signIn(daemon)
    await goTo(page, '#/timeline')
    await page.getByText(`note ${many}`, { exact: true }).waitFor()
    for (const place of [12_345, 50_000, 99_000, 3]) {
      await page.locator('.virtual').evaluate((box, top) => box.scrollTo(0, top), (place - 1) * 40)
      await page.getByText(`note ${many - place + 1}`, { exact: true }).waitFor()
    }
  })

  test('what changed is read again, also where the list is scrolled while that is under way', async () => {
    const { page } = await signIn(daemon)
    await goTo(page, '#/timeline')
    const newest = rows(page).filter({ hasText: `note ${many}` })
    await newest.waitFor()
    await newest.getByRole('link').click()
    const panel = page.getByRole('complementary', { name: 'Open record' })
    await panel.getByRole('button', { name: 'Pin', exact: true }).waitFor()
    let asked = 0
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/v1/records*', async (route) => {
      asked += 1
      await held
      await route.continue().catch(() => {})
    })
    await panel.getByRole('button', { name: 'Pin', exact: true }).click()
    await expect.poll(() => asked).toBeGreaterThan(0)
    const scrollTo = (top: number) => page.locator('.virtual').evaluate((box, to) => box.scrollTo(0, to), top)
    const before = asked
    await scrollTo(20_000)
    await expect.poll(() => asked).toBeGreaterThan(before)
    answer()
    await page.getByText(`note ${many - 505}`, { exact: true }).waitFor()
    await scrollTo(0)
    await newest.getByText('pinned').waitFor()
    await panel.getByRole('button', { name: 'Pinned' }).click()
    await newest.getByText('pinned').waitFor({ state: 'detached' })
  })

  test('the browser scrolls it by itself, whatever the page is busy with', async () => {
    const { page } = await signIn(daemon)
    await goTo(page, '#/timeline')
    await page.getByText(`note ${many}`, { exact: true }).waitFor()
    const browser = page.context().browser()
    const session = await page.context().newCDPSession(page)
    await browser?.startTracing(page, { categories: ['cc', 'benchmark'] })
    await session.send('Input.synthesizeScrollGesture', {
      ...{ x: 640, y: 500, yDistance: -3_000, speed: 3_000, gestureSourceType: 'mouse' },
    })
    const trace: { traceEvents: { name: string; args?: { frame_reporter?: Frame } }[] } = JSON.parse(
      String(await browser?.stopTracing()),
    )
    const how = trace.traceEvents.map(({ args }) => args?.frame_reporter?.scroll_state)
    expect(new Set(how)).toContain('SCROLL_COMPOSITOR_THREAD')
    expect(new Set(how)).not.toContain('SCROLL_MAIN_THREAD')
  })
})
