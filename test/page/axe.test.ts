/** What axe-core says of every view, in both themes, wide and on a phone: nothing. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewNames } from '../../src/page/view-names.ts'
import type { TestDaemon } from '../http/daemon.ts'
import {
  describeInBrowser,
  goTo,
  judge,
  newProfile,
  newTab,
  openDemo,
  phone,
  signIn,
  wide,
} from './browser.ts'

const addresses = [
  ...viewNames.map((name) => `#/${name}`),
  '#/search?q=why are pictures from phones damaged',
  '#/search?q=xyzzy',
  '#/timeline?kinds=observation',
  '#/timeline?agent=nobody',
  '#/beliefs?open=belief.1',
  '#/predictions?show=resolved&open=prediction.1',
  '#/predictions?of=estimates&open=prediction.6',
  '#/dreams?which=all&open=dream.1',
  '#/warnings?plan=run the season import tonight while the price job is active',
  '#/timeline?open=flag.10',
  '#/timeline?open=observation.1',
]

describeInBrowser('axe finds nothing', () => {
  let daemon: TestDaemon

  beforeAll(async () => {
    daemon = await openDemo()
  })
  afterAll(() => daemon?.stop())

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [wide, phone]) {
      test(`in any view, ${colorScheme}, ${viewport.width} pixels wide`, async () => {
        const { page } = await signIn(daemon)
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const found: string[] = []
        for (const address of addresses) {
          await goTo(page, address)
          found.push(...(await judge(page)).map((finding) => `${address} ${finding}`))
        }
        expect(found).toEqual([])
      }, 120_000)
    }

    test(`in what is asked, said and shown to strangers, ${colorScheme}`, async () => {
      const { page } = await signIn(daemon)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await goTo(page, '#/timeline?open=memory.3')
      await page.getByRole('button', { name: 'Copy as command' }).last().click()
      await page.getByRole('status').getByText('brain show memory 3').waitFor()
      expect(await judge(page)).toEqual([])
      await page.getByRole('button', { name: 'Forget…' }).click()
      expect(await judge(page)).toEqual([])
      const { page: stranger } = await newTab(await newProfile())
      await stranger.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await stranger.goto(daemon.url)
      await stranger.getByRole('heading', { name: 'Not signed in' }).waitFor()
      expect(await judge(stranger)).toEqual([])
    })
  }
})
