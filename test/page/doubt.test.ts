/**
 * What the page says of how far a record can be leaned on: what it cites, where it came from, what its verdict rests
 * on, what says the same.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { openDaemon, type TestDaemon } from '../http/daemon.ts'
import { describeInBrowser, goTo, judge, phone, signIn, wide } from './browser.ts'

const flags = 60
const agents = ['planner', 'reviewer']

describeInBrowser('what a record can be leaned on for', () => {
  let daemon: TestDaemon
  let directory: string

  const call = async (name: string, input: object, agent = 'planner') => {
    const operation = operations.find((one) => one.name === name)
    if (operation === undefined) throw new Error(`no operation ${name}`)
    const checkout = () => ({ branch: 'feature/queue', commit: 'abcdef0123456789abcdef0123456789abcdef01' })
    await daemon.brain.call(operation, { project: 'default', agent, session: 's-7', checkout }, input)
  }

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'brain-page-'))
    mkdirSync(join(directory, '.brain'))
    daemon = await openDaemon(join(directory, '.brain'))
    const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
    for (const name of ['kept.ts', 'moved.ts', 'changed.ts', 'gone.ts']) write(name, `one ${name}\ntwo\n`)
    const cites = ['kept.ts:1-2', 'moved.ts:1', 'changed.ts:1-2', 'gone.ts:1']
    await call('remember', { text: 'The queue retries three times before it gives up', cites })
    await call('believe', { text: 'Retries hide a broken broker' })
    for (const agent of agents)
      for (const _ of [1, 2, 3])
        await call('evidence', { belief_id: 1, kind: 'supporting', strength: 0.9, source: agent }, agent)
    await call('believe', { text: 'The broker is never restarted at night' })
    for (const strength of [0.9, 0.9, 0.9])
      await call('evidence', {
        belief_id: 2,
        kind: 'supporting',
        strength,
        note: `seen in the log at ${strength}`,
        source: 'the night log',
        independent: true,
        cites: ['changed.ts:1'],
      })
    await call('predict', { prediction: 'The queue is empty by noon', domain: 'queue', due: '3d' })
    for (const text of ['Deploys need two people', 'deploys need two people.', 'Deploys need two people!'])
      await call('remember', { text })
    for (let n = 1; n <= flags; n += 1) await call('flag', { text: `Mind step ${n} of the release` })
    write('moved.ts', 'before\nbefore\none moved.ts\ntwo\n')
    write('changed.ts', 'something else\ntwo\n')
    rmSync(join(directory, 'gone.ts'))
  })
  afterAll(async () => {
    await daemon?.stop()
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  const enter = async (): Promise<Page> => (await signIn(daemon)).page
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Open record' })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`axe finds nothing in any of it, ${colorScheme}, and no phone is too narrow for it`, async () => {
      const page = await enter()
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const found: string[] = []
      for (const viewport of [wide, phone]) {
        await page.setViewportSize(viewport)
        for (const address of [
          '#/timeline?which=stale&open=memory.1',
          '#/search?q=queue retries',
          '#/beliefs?open=belief.2',
          '#/warnings?page=2',
          '#/predictions?show=due&open=prediction.1',
          '#/duplicates',
        ]) {
          await goTo(page, address)
          if (address.includes('open=')) await panel(page).getByText('s-7').first().waitFor()
          found.push(...(await judge(page)).map((finding) => `${address} ${finding}`))
          const wider = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          )
          expect(wider, address).toBe(0)
        }
        await goTo(page, '#/timeline?open=memory.1')
        await panel(page).getByRole('button', { name: 'Still holds…' }).click()
        found.push(...(await judge(page)))
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      expect(found).toEqual([])
    })

  test('a stale memory is marked in the timeline and in search, and listed by that', async () => {
    const page = await enter()
    await goTo(page, '#/timeline?which=stale')
    const line = page.getByRole('listitem').filter({ hasText: 'The queue retries' })
    await line.getByText('stale', { exact: true }).waitFor()
    await goTo(page, '#/search?q=queue retries')
    await page.getByText('gone.ts:1 is not there any more').waitFor()
  })

  test('a belief whose evidence cites what has changed is marked in the timeline and among beliefs', async () => {
    const page = await enter()
    await goTo(page, '#/timeline?kinds=belief')
    const marked = page.getByRole('listitem').filter({ hasText: 'never restarted at night' })
    await marked.getByText('stale', { exact: true }).waitFor()
    await goTo(page, '#/beliefs')
    await marked.getByText('stale', { exact: true }).waitFor()
    expect(await page.getByText('stale', { exact: true }).count()).toBe(1)
  })

  test('where a memory came from is on it, and its branch leads to what else was kept there', async () => {
    const page = await enter()
    await goTo(page, '#/timeline?open=memory.1')
    await panel(page).getByText('s-7').waitFor()
    await panel(page).getByText('abcdef0123', { exact: true }).waitFor()
    await panel(page).getByRole('link', { name: 'feature/queue' }).click()
    await page.getByRole('link', { name: 'on feature/queue' }).waitFor()
    expect(page.url()).toContain('branch=feature')
    await goTo(page, '#/predictions?open=prediction.1')
    await panel(page).getByText('s-7').waitFor()
  })

  test('verdicts that rest on too little say so, in the list and on the belief', async () => {
    const page = await enter()
    await goTo(page, '#/beliefs')
    const row = page.getByRole('listitem').filter({ hasText: 'never restarted at night' })
    await row.getByText('One source decides nothing').waitFor()
    await row.getByText('accumulating', { exact: true }).waitFor()
    await goTo(page, '#/beliefs?open=belief.2')
    await panel(page).getByText('One source decides nothing').waitFor()
    await panel(page).getByText('the test alone says promoted').waitFor()
    await panel(page).getByText('changed.ts:1 says something else now').first().waitFor()
  })

  test('what was cited is told by its state, and stamped anew only once somebody says that it holds', async () => {
    const page = await enter()
    await goTo(page, '#/timeline?open=memory.1')
    const cited = panel(page).getByRole('region', { name: 'Rests on' })
    for (const told of ['as it was', 'the same, on other lines', 'says something else now', 'is not there'])
      await cited.getByText(told).waitFor()
    await cited.getByText('moved.ts:3').waitFor()
    await cited.getByRole('button', { name: 'Still holds…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The queue retries three times').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await cited.getByText('changed', { exact: true }).waitFor()
    await cited.getByRole('button', { name: 'Still holds…' }).click()
    await dialog.getByRole('button', { name: 'It holds' }).click()
    await page.getByText('is stamped as it stands now').waitFor()
    await cited.getByText('changed', { exact: true }).waitFor({ state: 'detached' })
    // Of what is not there any more there is nothing to stamp.
    await cited.getByText('gone', { exact: true }).waitFor()
  })

  test('evidence that has gone stale is stamped by itself', async () => {
    const page = await enter()
    await goTo(page, '#/beliefs?open=belief.2')
    const stale = panel(page).getByText('stale', { exact: true })
    await stale.first().waitFor()
    const before = await stale.count()
    await panel(page).getByRole('button', { name: 'Still holds…' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'It holds' }).click()
    await expect.poll(() => stale.count()).toBe(before - 1)
  })

  test('every flag is reached, page by page', async () => {
    const page = await enter()
    await goTo(page, '#/warnings')
    const card = page.getByRole('region', { name: 'Flags' })
    await card.getByText(`Mind step ${flags} of the release`).waitFor()
    await card.getByRole('link', { name: 'After' }).click()
    await card.getByRole('link', { name: 'After' }).click()
    await card.getByText('Mind step 1 of the release', { exact: true }).waitFor()
    await card.getByText('3 of 3').waitFor()
  })

  test('predictions are listed by when they are due', async () => {
    const page = await enter()
    await goTo(page, '#/predictions?show=due')
    await page.getByText('The queue is empty by noon').waitFor()
    await goTo(page, '#/predictions?show=overdue')
    await page.getByText('Nothing is overdue').waitFor()
  })

  test('memories that say the same stand together, and become one only once that is confirmed', async () => {
    const page = await enter()
    await goTo(page, '#/duplicates')
    await page.getByText('Deploys need two people!').waitFor()
    await page.getByRole('button', { name: 'Merge all…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This cannot be undone').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await daemon.brain.store.memories.find('default', 2)).toBeDefined()
    await page.getByRole('button', { name: 'Merge all…' }).click()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await page.getByText('No two memories say the same').waitFor()
    expect(await daemon.brain.store.memories.find('default', 2)).toBeUndefined()
  })

  test('of two groups, one is merged and the other stays', async () => {
    await call('remember', { text: 'Lunch is at noon' })
    await call('remember', { text: 'lunch is at noon!' })
    await call('remember', { text: 'The lift is slow' })
    await call('remember', { text: 'the lift is slow.' })
    const page = await enter()
    await goTo(page, '#/duplicates')
    const group = page.getByRole('listitem').filter({ hasText: 'lunch is at noon!' }).first()
    await group.getByRole('button', { name: /^Merge… into/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('lunch is at noon!').waitFor()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await group.waitFor({ state: 'detached' })
    await page.getByText('1 group').waitFor()
    await page.getByText('the lift is slow.').waitFor()
  })
})
