/** What people come to the page for, answered with a few clicks by somebody who knows nothing but what is on screen. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, startTestDaemon, type TestDaemon } from '../http/daemon.ts'
import { describeInBrowser, openDemo, signIn } from './browser.ts'

describeInBrowser('in at most three steps', () => {
  let daemon: TestDaemon

  beforeAll(async () => {
    daemon = await openDemo({ config: { embedder: 'builtin' } })
  })
  afterAll(() => daemon?.stop())

  /** A page and a hand that counts what it does. */
  async function begin() {
    const { page } = await signIn(daemon)
    await page.getByText(/^Ask \d+ memories/).waitFor()
    let steps = 0
    const step = async (work: Promise<unknown>): Promise<void> => {
      steps += 1
      await work
    }
    return { page, step, expectFew: () => expect(steps).toBeLessThanOrEqual(3) }
  }

  const view = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })

  test('what did my agents write yesterday', async () => {
    const { page, step, expectFew } = await begin()
    await step(page.getByRole('link', { name: 'Yesterday' }).click())
    const rows = page.getByRole('list', { name: 'Records, newest first' }).getByRole('listitem')
    await rows.getByText('Voice control finds the calendar since the labels were fixed').waitFor()
    await page.getByText(/^Yesterday, /).waitFor()
    const agents = await page.locator('.line .agent').allTextContents()
    expect(new Set(agents)).toEqual(new Set(['leila', 'ines', 'tomasz']))
    // Colours tell agents apart.
    const hues = await page.locator('.line .dot').evaluateAll((dots) => dots.map((dot) => dot.className))
    expect(new Set(hues).size).toBe(3)
    expectFew()
  })

  test('which belief changed, and why', async () => {
    const { page, step, expectFew } = await begin()
    await step(view(page, 'Beliefs').click())
    const first = page.locator('.rows').getByRole('listitem').first()
    await first
      .getByRole('link', { name: 'Customers abandon the booking because of the account step' })
      .waitFor()
    // Four or five, by the hour of the day.
    await first.getByText(/^moved [45] days ago$/).waitFor()
    await first.getByText('-1.73').waitFor()
    await first.getByText('Half of the bookings without the step, same completion').waitFor()
    expectFew()
  })

  test('am I overconfident about estimates', async () => {
    const { page, step, expectFew } = await begin()
    await step(view(page, 'Predictions').click())
    const row = page.getByRole('row').filter({ hasText: 'estimates' })
    // Claimed, true, and the points between.
    await row.getByText('+55').waitFor()
    await step(row.getByRole('link').click())
    await page.getByText(/^Overconfident about estimates by 55 points/).waitFor()
    expectFew()
  })

  test('is that chance: the diagram has a band for what chance does, narrower than everything', async () => {
    const another = await startTestDaemon()
    for (let n = 1; n <= 25; n += 1) {
      const made = { prediction: `drill ${n} ends in time`, domain: 'deadlines', confidence: 0.8 }
      await call(another, '/v1/predict', { body: made })
      const outcome = n % 5 === 0 ? 'incorrect' : 'correct'
      await call(another, '/v1/resolve', { body: { prediction_id: n, outcome, actual: 'as the log says' } })
    }
    const { page } = await signIn(another)
    await view(page, 'Predictions').click()
    await page.getByText('About right: 80 % claimed, 80 % came true.').waitFor()
    const told = (await page.getByRole('cell', { name: 'would fit the claim' }).textContent()) ?? ''
    const [, low, high] = /(\d+) to (\d+) % would fit/.exec(told) ?? []
    expect(Number(low)).toBeGreaterThan(50)
    expect(Number(high)).toBeLessThanOrEqual(100)
  })

  test('why was this plan refused', async () => {
    const { page, step, expectFew } = await begin()
    await step(view(page, 'Warnings').click())
    await step(page.getByLabel('A plan or step').fill('run the season import while the price job is active'))
    await step(page.getByRole('button', { name: 'Assess' }).click())
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText(/^danger/i).waitFor()
    await verdict.getByText(/^Stop and read flag 10.*because/).waitFor()
    await verdict.getByText('this one decided').waitFor()
    expectFew()
  })

  test('forget that note', async () => {
    const { page, step, expectFew } = await begin()
    await step(page.getByRole('searchbox').fill('sourdough'))
    const note = page.getByRole('listitem').filter({ hasText: 'The sourdough came out flat' })
    await step(note.getByRole('button', { name: 'Forget' }).click())
    await page.getByRole('dialog').getByText('The sourdough came out flat').waitFor()
    await step(page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click())
    await page.getByText(/^Forgot memory \d+\./).waitFor()
    await note.waitFor({ state: 'detached' })
    expectFew()
  })
})
