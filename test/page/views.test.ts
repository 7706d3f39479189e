/** Every view of the page with a brain that holds something of everything: seen, used with a mouse, and with keys alone. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewNames } from '../../src/page/view-names.ts'
import { call, startTestDaemon, type TestDaemon } from '../http/daemon.ts'
import { beginning, describeInBrowser, goTo, openDemo, phone, signIn } from './browser.ts'

describeInBrowser('the page', () => {
  let daemon: TestDaemon

  beforeAll(async () => {
    daemon = await openDemo()
  })
  afterAll(() => daemon?.stop())

  const enter = async (): Promise<Page> => (await signIn(daemon)).page
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Open record' })

  test('search finds as one types, marks what met and says why a result is there', async () => {
    const page = await enter()
    await page.getByRole('searchbox').pressSequentially('iphone photos')
    const result = page.getByRole('listitem').filter({ hasText: 'iPhones come out broken' })
    // It is there for the first word already, and marked as that one asked.
    const marked = async () =>
      (await result.locator('mark').allTextContents()).map((word) => word.toLowerCase())
    await expect.poll(marked).toContain('photos')
    await result.getByText('Why it is here').click()
    await result.getByText('keywords').waitFor()
    expect(page.url()).toContain('q=iphone+photos')
  })

  test('search says what days were read and that nothing else was asked for', async () => {
    const page = await enter()
    await page.getByRole('searchbox').fill('yesterday')
    const told = page.getByRole('status').filter({ hasText: 'Asked about' })
    await told.getByText('Asked for nothing but that time: its notes, newest first.').waitFor()
  })

  test('what was typed over is not waited for: the answer on screen is always that of the last question', async () => {
    const page = await enter()
    const asked: string[] = []
    let answered = (): void => {}
    const second = new Promise<void>((resolve) => {
      answered = resolve
    })
    await page.route('**/v1/recall/explain', async (route) => {
      const query = String(route.request().postDataJSON().query)
      asked.push(query)
      // The first answer comes after the second, however late that is.
      if (query === 'staging') await second
      await route.continue().catch(() => {})
    })
    const field = page.getByRole('searchbox')
    await field.fill('staging')
    await expect.poll(() => asked).toEqual(['staging'])
    const gone = page.waitForEvent('requestfailed', (one) => one.postData()?.includes('staging') ?? false)
    await field.fill('vegetarian')
    await page.getByText('Aoife is vegetarian').waitFor()
    answered()
    expect((await gone).failure()?.errorText).toContain('ABORTED')
  })

  test('an answer keeps the marks of its own question, and is told as passing, until the next one is there', async () => {
    const page = await enter()
    const field = page.getByRole('searchbox')
    await field.fill('iphone photos')
    const result = page.getByRole('listitem').filter({ hasText: 'iPhones come out broken' })
    await result.waitFor()
    await page.locator('[aria-busy="false"] .results').waitFor()
    const marks = await result.locator('mark').allTextContents()
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/v1/recall/explain', async (route) => {
      await held
      await route.continue()
    })
    await field.fill('vegetarian')
    await page.locator('[aria-busy="true"] .results').waitFor()
    expect(await result.locator('mark').allTextContents()).toEqual(marks)
    answer()
    await page.getByText('Aoife is vegetarian').waitFor()
    await page.locator('[aria-busy="false"] .results').waitFor()
  })

  test('the timeline has every record by day, of one agent or kind when asked, and opens each', async () => {
    const page = await enter()
    await goTo(page, '#/timeline')
    const list = page.getByRole('list', { name: 'Records, newest first' })
    await list.getByRole('link').first().waitFor()
    await page.getByLabel('By').selectOption('tomasz')
    await expect.poll(() => page.url()).toContain('agent=tomasz')
    await list.getByText('cron entry that nobody remembers').click()
    await panel(page).getByText('tomasz').waitFor()
    await goTo(page, '#/timeline?kinds=observation')
    await list.getByText('Restarts first and reads the log after').waitFor()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  })

  test('a belief opens with its trail between the boundaries, and takes an observation once it is confirmed', async () => {
    const page = await enter()
    await goTo(page, '#/beliefs')
    await page.getByRole('link', { name: 'Charter companies plan their season late' }).click()
    const open = panel(page)
    await open.getByRole('img', { name: /^Trail of belief 3: 1 observation/ }).waitFor()
    await open.getByLabel('supporting').check()
    await open.getByLabel('Note').fill('two of them called in March')
    await open.getByRole('button', { name: 'Add…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add it' }).click()
    await open.getByRole('listitem').getByText('two of them called in March').waitFor()
    await open.getByRole('img', { name: /2 observations/ }).waitFor()
  })

  test('the tabs of beliefs select by the verdict that each shows', async () => {
    const other = await startTestDaemon()
    const see = async (text: string, ...kinds: readonly string[]) => {
      const { id } = (await call(other, '/v1/believe', { body: { text } })).body as { id: number }
      for (const kind of kinds)
        await call(other, '/v1/evidence', { body: { belief_id: id, kind, strength: 0.9 } })
    }
    await see('seen once, and waiting for a second source', 'supporting')
    await see('seen twice', 'supporting', 'supporting')
    await see('refuted twice', 'refuting', 'refuting')
    const { page } = await signIn(other)
    await goTo(page, '#/beliefs')
    const listed = () => page.locator('.rows .row-text').allTextContents()
    await expect.poll(listed).toHaveLength(3)
    const tabs = page.getByRole('navigation', { name: 'Status' })
    for (const [tab, text] of [
      ['Promoted', 'seen twice'],
      ['Demoted', 'refuted twice'],
      ['Accumulating', 'seen once, and waiting for a second source'],
    ] as const) {
      await tabs.getByRole('link', { name: tab }).click()
      await expect.poll(listed).toEqual([text])
      expect(await tabs.locator('[aria-current]').allTextContents()).toEqual([tab])
    }
    await tabs.getByRole('link', { name: 'All' }).click()
    await expect.poll(listed).toHaveLength(3)
  })

  test('an observation that weighs nothing says why in the list of beliefs, too', async () => {
    const { id } = (await call(daemon, '/v1/believe', { body: { text: 'The ferry is late on Sundays' } }))
      .body as {
      id: number // The operation's answer.
    }
    const again = { belief_id: id, kind: 'supporting', strength: 0.5, source: 'harbour' }
    for (let n = 0; n < 2; n += 1) await call(daemon, '/v1/evidence', { body: again })
    const page = await enter()
    await goTo(page, '#/beliefs')
    const row = page.getByRole('listitem').filter({ hasText: 'The ferry is late on Sundays' })
    await row.getByText(/^repeats \d+, and weighs nothing$/).waitFor()
    await call(daemon, '/v1/forget', { body: { kind: 'belief', memory_id: id } })
  })

  test('predictions say in a sentence whether they are overconfident, by domain; one is resolved, opened again and revised', async () => {
    const page = await enter()
    await goTo(page, '#/predictions')
    await page.getByText(/^Overconfident by \d+ points/).waitFor()
    await page.getByRole('link', { name: 'estimates' }).click()
    await page.getByText(/^Overconfident about estimates by \d+ points/).waitFor()
    const open = async () => (await daemon.brain.store.predictions.listOpen('default', 50)).length
    const before = await open()
    await page.locator('.row a').first().click()
    const record = panel(page)
    await record.getByRole('button', { name: 'Resolve' }).click()
    await record.getByRole('alert').getByText('Choose how it turned out').waitFor()
    await record.getByLabel('incorrect', { exact: true }).check()
    await record.getByLabel('What happened').fill('it took two attempts')
    await record.getByRole('button', { name: 'Resolve' }).click()
    await record.getByText('it took two attempts').waitFor()
    expect(await open()).toBe(before - 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await record.getByText('undone on the page').waitFor()
    expect(await open()).toBe(before)
    await record.getByLabel('What changed').fill('it looks better')
    await record.getByRole('button', { name: 'Revise…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revise' }).click()
    await record.getByRole('listitem').getByText('it looks better').waitFor()
  })

  test('a dream stands beside what it came from; keeping it can be taken back', async () => {
    const page = await enter()
    await goTo(page, '#/dreams')
    const dream = page.getByRole('article').filter({ hasText: 'The disk of db-07 fills up' })
    await dream.getByText('The nightly export writes about 40 GB').waitFor()
    await dream.getByRole('button', { name: 'Keep' }).click()
    await dream.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await dream.waitFor()
    await dream.getByRole('button', { name: 'Mark as read' }).click()
    await dream.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await dream.waitFor()
    expect(await daemon.brain.store.dreams.countUnread('default')).toBe(2)
  })

  test('a plan is weighed against the flags; that one was no match can be said, and taken back', async () => {
    const page = await enter()
    await goTo(page, '#/warnings')
    await page
      .getByLabel('A plan or step')
      .fill('run the season import tonight while the price job is active')
    await page.getByRole('button', { name: 'Assess' }).click()
    const verdict = page.getByRole('region', { name: 'Verdict' })
    const flag = verdict.getByText('Never run the season import').last()
    await flag.waitFor()
    await verdict.getByRole('button', { name: 'This was no match' }).click()
    await page.getByText('held less against plans like this one').waitFor()
    const said = async () => (await daemon.brain.store.exemptions.list('default', [10])).length
    expect(await said()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(said).toBe(0)
  })

  test('beside a plan that was refused stands no verdict of the one before', async () => {
    const page = await enter()
    await goTo(page, '#/warnings?plan=paint+the+fence')
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.waitFor()
    await page.getByLabel('A plan or step').fill('paint '.repeat(12_000))
    await page.getByRole('button', { name: 'Assess' }).click()
    await page.getByRole('alert').getByText('topic must be at most').waitFor()
    expect(await verdict.count()).toBe(0)
    await page.getByLabel('A plan or step').fill('paint the fence')
    await page.getByRole('button', { name: 'Assess' }).click()
    await verdict.waitFor()
  })

  test('the state tells load, holdings and keys by label, and leads to what asks for attention', async () => {
    const page = await enter()
    await goTo(page, '#/state')
    await page.getByRole('region', { name: 'Keys' }).getByText('live').first().waitFor()
    expect(await page.locator('main').textContent()).not.toContain(daemon.key)
    await page.getByRole('link', { name: 'Read them' }).click()
    await page.getByRole('heading', { name: 'Dreams', level: 1 }).waitFor()
  })

  test('a memory is edited, and says what it said with Undo', async () => {
    const page = await enter()
    await goTo(page, '#/timeline?open=memory.4')
    const before = await panel(page).locator('.record-text').first().textContent()
    await panel(page).getByRole('button', { name: 'Edit' }).click()
    await panel(page).getByLabel('Text of memory 4').fill('The soup on Mill Lane has become worse')
    await panel(page).getByRole('button', { name: 'Save' }).click()
    await panel(page).getByText('The soup on Mill Lane has become worse').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await panel(page)
      .getByText(before ?? '', { exact: true })
      .first()
      .waitFor()
  })

  test('a memory is tagged, pinned and given an end, each with a way back, and listed by them', async () => {
    const page = await enter()
    await goTo(page, '#/timeline?open=memory.5')
    const open = panel(page)
    const undo = async (said: string) => {
      await page.getByRole('status').getByText(said).waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('status').getByText('Undone.').waitFor()
    }
    await open.getByLabel('Add a tag').fill('cooking')
    await page.keyboard.press('Enter')
    await open.getByRole('link', { name: 'cooking' }).waitFor()
    await undo('Tagged cooking.')
    await open.getByRole('link', { name: 'cooking' }).waitFor({ state: 'detached' })
    await open.getByLabel('When memory 5 ends').selectOption('1w')
    await open.getByText('Ends', { exact: true }).waitFor()
    await undo('Memory 5 ends')
    await open.getByText('Ends', { exact: true }).waitFor({ state: 'detached' })
    await open.getByLabel('When memory 5 ends').selectOption('on a date…')
    await open.getByLabel('Last day of memory 5').fill('2099-12-31')
    await open.getByRole('button', { name: 'Set' }).click()
    await open.locator('time[datetime^="2099-12-31T23:59:59"]').waitFor()
    await undo('Memory 5 ends with 2099-12-31')
    await open.getByText('Ends', { exact: true }).waitFor({ state: 'detached' })
    await open.getByLabel('Add a tag').fill('t'.repeat(65))
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('at most 64 characters. Nothing was changed.').waitFor()
    await open.getByRole('button', { name: 'Pin', exact: true }).click()
    await open.getByRole('button', { name: 'Pinned', pressed: true }).waitFor()
    await goTo(page, '#/timeline?which=pinned')
    await expect.poll(() => page.locator('.virtual-row').count()).toBe(1)
  })

  test('taking something off or back can itself be taken back: a pin, a tag, a word on a dream or a flag, a resolution', async () => {
    const { store } = daemon.brain
    const page = await enter()
    const open = panel(page)
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('status').getByText('Undone.').waitFor()
    }
    const { id } = await store.memories.add('default', {
      text: 'the ferry leaves at nine',
      caution: 0,
      agent: 'default',
      createdAt: Date.now(),
    })
    await goTo(page, `#/timeline?open=memory.${id}`)
    await open.getByRole('button', { name: 'Pin', exact: true }).click()
    await open.getByRole('button', { name: 'Pinned', pressed: true }).click()
    await page.getByRole('status').getByText('is pinned no more').waitFor()
    await undo()
    expect(await store.memories.find('default', id)).toMatchObject({ pinnedAt: expect.any(Number) })
    await open.getByLabel('Add a tag').fill('travel')
    await page.keyboard.press('Enter')
    await open.getByRole('button', { name: 'Take the tag travel off' }).click()
    await page.getByRole('status').getByText('Took travel off.').waitFor()
    await undo()
    expect(await store.memories.find('default', id)).toMatchObject({ tags: ['travel'] })

    await goTo(page, '#/dreams?which=all&open=dream.2')
    await open.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('status').getByText('Dismissed dream 2').waitFor()
    await open.getByRole('button', { name: 'Dismiss', pressed: true }).waitFor()
    await undo()
    await open.getByRole('button', { name: 'Dismiss', pressed: false }).waitFor()

    await goTo(page, '#/predictions?show=resolved&open=prediction.1')
    await open.getByRole('button', { name: 'Open it again' }).click()
    await page.getByRole('status').getByText('Prediction 1 is open again').waitFor()
    await undo()
    await open.getByText('Fixed after five days').first().waitFor()
    await open.getByRole('button', { name: 'Open it again' }).waitFor()

    const topic = 'sail around the island'
    await call(daemon, '/v1/assess/feedback', { body: { memory_id: 10, topic, verdict: 'no_match' } })
    await goTo(page, '#/timeline?open=flag.10')
    await open.getByText(topic).waitFor()
    await open.getByRole('button', { name: 'Take back' }).click()
    await open.getByText(topic).waitFor({ state: 'detached' })
    await undo()
    await open.getByText(topic).waitFor()
  })

  test('forgetting shows the text and asks; Escape leaves it as it is', async () => {
    const { id } = await daemon.brain.store.memories.add('default', {
      text: 'the plumber comes on Thursday',
      caution: 0,
      agent: 'default',
      createdAt: Date.now(),
    })
    const page = await enter()
    await goTo(page, `#/timeline?open=memory.${id}`)
    await panel(page).getByRole('button', { name: 'Forget…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('the plumber comes on Thursday').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await daemon.brain.store.memories.find('default', id)).toBeDefined()
    await panel(page).getByRole('button', { name: 'Forget…' }).click()
    await dialog.getByRole('button', { name: 'Forget' }).click()
    await page.getByText(`Forgot memory ${id}.`).waitFor()
    expect(await daemon.brain.store.memories.find('default', id)).toBeUndefined()
    await panel(page).waitFor({ state: 'detached' })
  })

  test('with keys alone: the skip link, every view, search to a record and back, the timeline from end to end', async () => {
    const page = await enter()
    await goTo(page, '#/state')
    await beginning(page, 'state')
    await page.keyboard.press('Tab')
    const focused = () => page.locator(':focus').first()
    for (let steps = 0; steps < 20 && (await focused().textContent()) !== 'Skip to the content'; steps += 1)
      await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await beginning(page, 'state')
    expect(await focused().textContent()).toBe('State')
    for (const name of viewNames) {
      const link = page
        .getByRole('navigation', { name: 'Views' })
        .getByRole('link', { name: new RegExp(name, 'i') })
      await link.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: new RegExp(`^${name}$`, 'i'), level: 1 }).waitFor()
      await beginning(page, name)
    }
    await goTo(page, '#/search')
    await beginning(page, 'search')
    await page.getByRole('searchbox').fill('restore drills')
    await page.getByText('restore drills can run').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await panel(page).getByText('The spare machine got a second disk').waitFor()
    await panel(page).locator('h2:focus').waitFor()
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await expect.poll(() => focused().textContent()).toContain('restore drills')
    await goTo(page, '#/timeline')
    await beginning(page, 'timeline')
    await page.getByRole('listitem').getByRole('link').first().focus()
    const place = () => page.locator('[role="listitem"]:has(:focus)').getAttribute('aria-posinset')
    await page.keyboard.press('End')
    const total = (
      await daemon.brain.store.records.list('default', {
        kinds: ['memory', 'flag', 'belief', 'prediction', 'dream', 'observation'],
        limit: 1,
        skip: 0,
        now: 0,
      })
    ).total
    await expect.poll(place).toBe(String(total))
    await page.keyboard.press('ArrowUp')
    await expect.poll(place).toBe(String(total - 1))
    await page.keyboard.press('Home')
    await expect.poll(place).toBe('1')
  })

  test('a dream is found by its reader’s word on it, however many newer ones there are', async () => {
    const { dreams } = daemon.brain.store
    const night = { kind: 'cause', novelty: 0.5, createdAt: Date.now() } as const
    const [oldest, ...newer] = await dreams.addMany(
      'default',
      Array.from({ length: 22 }, (_, at) => ({
        ...night,
        thought: `Thought number ${at}`,
        sourceMemoryIds: [at + 1],
      })),
    )
    await dreams.rate('default', { id: oldest?.id ?? 0, verdict: 'keep', now: Date.now() })
    for (const { id } of newer) await dreams.markRead('default', id, Date.now())
    const page = await enter()
    await goTo(page, '#/dreams?which=kept')
    await page.getByRole('article').filter({ hasText: 'Thought number 0' }).waitFor()
    await goTo(page, '#/dreams')
    await page.getByRole('article').filter({ hasText: 'The disk of db-07 fills up' }).waitFor()
    // All that there was on the second page may have been judged since.
    await goTo(page, '#/dreams?page=2')
    await page.getByRole('article').filter({ hasText: 'The disk of db-07 fills up' }).waitFor()
  })

  test('on a phone no view is wider than the screen', async () => {
    const page = await enter()
    await page.setViewportSize(phone)
    for (const name of viewNames) {
      await goTo(page, `#/${name}?q=season&plan=run+the+season+import`)
      const wider = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect(wider, name).toBe(0)
    }
    await goTo(page, '#/beliefs?open=belief.1')
    await panel(page).getByRole('button', { name: 'Close the record' }).click()
    await panel(page).waitFor({ state: 'detached' })
  })

  test('nothing complains in the console, and nobody but the daemon is asked', async () => {
    const { page, complaints } = await signIn(daemon)
    const asked = new Set<string>()
    page.on('request', (one) => asked.add(new URL(one.url()).origin))
    for (const name of viewNames) await goTo(page, `#/${name}`)
    expect(complaints).toEqual([])
    expect([...asked]).toEqual([daemon.url])
  })
})
