/** Records that would be programs if the page took them for anything but text. */

import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewNames } from '../../src/page/view-names.ts'
import { call, startTestDaemon, type TestDaemon } from '../http/daemon.ts'
import { describeInBrowser, goTo, openDemo, phone, signIn, wide } from './browser.ts'

const attack = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script><svg onload="document.title='taken'"> javascript:alert(1) "'\`&lt;`
/** As long as a name may be. */
const name = attack.slice(0, 120)

describeInBrowser('a hostile record of each kind', () => {
  let daemon: TestDaemon
  const ids: Record<string, number> = {}

  beforeAll(async () => {
    daemon = await openDemo()
    const { brain } = daemon
    const caller = { project: 'default', agent: name }
    const { definitions } = await import('../../src/operations/index.ts')
    const make = async (operation: keyof typeof definitions, input: unknown): Promise<number> => {
      // Every one of these answers with the id of what it made.
      const { id } = (await brain.call<unknown>(definitions[operation], caller, input)) as { id: number }
      return id
    }
    ids.memory = await make('remember', { text: attack })
    ids.flag = await make('flag', { text: attack })
    ids.belief = await make('believe', { text: attack })
    await make('evidence', { belief_id: ids.belief, kind: 'supporting', strength: 0.5, note: attack })
    ids.prediction = await make('predict', { prediction: attack, domain: name, basis: attack })
    const resolved = await make('predict', { prediction: attack, domain: name, basis: attack })
    await make('resolve', { prediction_id: resolved, outcome: 'correct', actual: attack })
    ids.observation = await make('note_about', { subject_agent: name, observation: attack })
    const [dream] = await brain.store.dreams.addMany('default', [
      {
        kind: 'bridge',
        thought: attack,
        sourceMemoryIds: [ids.memory],
        novelty: 1,
        createdAt: Date.now(),
        reasons: [attack],
      },
    ])
    ids.dream = dream?.id ?? 0
  })
  afterAll(() => daemon?.stop())

  test('is shown as the text it is, in every view and open, and runs nothing', async () => {
    const { page, complaints } = await signIn(daemon)
    const elements = async (): Promise<unknown> =>
      page.locator('main img, main script, aside img, aside script, [onerror], [onload]').count()
    for (const view of viewNames) {
      const question = encodeURIComponent(attack)
      await goTo(
        page,
        `#/${view}?q=${question}&plan=${question}&which=all&show=resolved&of=${encodeURIComponent(name)}&agent=${encodeURIComponent(name)}`,
      )
      await page.waitForTimeout(200)
      expect(await elements(), view).toBe(0)
    }
    for (const [kind, id] of Object.entries(ids)) {
      await goTo(page, `#/timeline?open=${kind}.${id}`)
      const record = page.getByRole('complementary', { name: 'Open record' })
      await record.getByText(attack).first().waitFor()
      expect(await elements(), kind).toBe(0)
    }
    expect(await page.title()).not.toContain('taken')
    expect(complaints).toEqual([])
  })

  test('names as long as they may be make no view wider than the screen, on a phone either', async () => {
    const other = await startTestDaemon()
    const [long, domain] = ['a'.repeat(128), 'd'.repeat(128)]
    const headers = { 'x-svc-agent': long }
    await call(other, '/v1/remember', {
      body: { text: 'The lift is checked', tags: ['t'.repeat(64)] },
      headers,
    })
    await call(other, '/v1/flag', { body: { text: 'Never stop the lift', caution: 0.9 }, headers })
    for (const prediction of ['The lift stands still', 'The lift goes'])
      await call(other, '/v1/predict', { body: { prediction, domain, confidence: 0.9 }, headers })
    const resolution = { prediction_id: 1, outcome: 'incorrect', actual: 'it went' }
    await call(other, '/v1/resolve', { body: resolution, headers })
    const { page } = await signIn(other)
    for (const size of [wide, phone]) {
      await page.setViewportSize(size)
      for (const view of [
        ...viewNames,
        'timeline?open=memory.1',
        `predictions?of=${domain}&open=prediction.1`,
      ]) {
        await goTo(page, `#/${view}`)
        const wider = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        expect(wider, `${view} at ${size.width}`).toBe(0)
      }
    }
  })

  test('a name from right to left moves nothing that stands beside it', async () => {
    const other = await startTestDaemon()
    const createdAt = Date.now() - 5 * 60_000
    const note = { text: 'The lift is checked', caution: 0, agent: 'ليلى', createdAt }
    await other.brain.store.memories.add('default', note)
    const { page } = await signIn(other)
    await goTo(page, '#/timeline?open=memory.1')
    const fact = page.getByRole('complementary').locator('dd').filter({ hasText: 'ليلى' })
    const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, width: 0 }
    const [name, time] = [await boxOf(fact.locator('.agent')), await boxOf(fact.locator('time'))]
    expect(time.x).toBeGreaterThanOrEqual(name.x + name.width)
  })
})
