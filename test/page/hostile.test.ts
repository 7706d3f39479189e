/** Records that would be programs if the page took them for anything but text. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewNames } from '../../src/page/view-names.ts'
import type { TestDaemon } from '../http/daemon.ts'
import { describeInBrowser, goTo, openDemo, signIn } from './browser.ts'

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
    const call = async (operation: keyof typeof definitions, input: unknown): Promise<number> => {
      // Every one of these answers with the id of what it made.
      const { id } = (await brain.call<unknown>(definitions[operation], caller, input)) as { id: number }
      return id
    }
    ids.memory = await call('remember', { text: attack })
    ids.flag = await call('flag', { text: attack })
    ids.belief = await call('believe', { text: attack })
    await call('evidence', { belief_id: ids.belief, kind: 'supporting', strength: 0.5, note: attack })
    ids.prediction = await call('predict', { prediction: attack, domain: name, basis: attack })
    const resolved = await call('predict', { prediction: attack, domain: name, basis: attack })
    await call('resolve', { prediction_id: resolved, outcome: 'correct', actual: attack })
    ids.observation = await call('note_about', { subject_agent: name, observation: attack })
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
})
