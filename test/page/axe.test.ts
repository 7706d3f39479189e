/** What axe-core says of every view, in both themes, wide and on a phone: nothing; and where the focus goes. */

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { viewNames } from '../../src/page/view-names.ts'
import type { TestDaemon } from '../http/daemon.ts'
import {
  beginning,
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
      })
    }

    test(`in what is asked, said and shown to strangers, ${colorScheme}`, async () => {
      const { page } = await signIn(daemon)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await goTo(page, '#/timeline?open=memory.3')
      await page.getByRole('button', { name: 'Copy as command' }).last().click()
      await page.getByRole('status').getByText('brain show memory 3').waitFor()
      expect(await judge(page)).toEqual([])
      await page.getByRole('button', { name: 'Forget…' }).click()
      await page.getByRole('dialog').waitFor()
      expect(await judge(page)).toEqual([])
      const { page: stranger } = await newTab(await newProfile())
      await stranger.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await stranger.goto(daemon.url)
      await stranger.getByRole('heading', { name: 'Not signed in' }).waitFor()
      expect(await judge(stranger)).toEqual([])
    })
  }
})

/** What has the focus: where it stands in the document, what it is called, and whether one sees that it has it. */
const focused = `(() => {
  const here = document.activeElement
  if (here === document.body) return null
  const { outlineStyle, outlineWidth } = getComputedStyle(here)
  return {
    at: [...document.querySelectorAll('*')].indexOf(here),
    called: here.getAttribute('aria-label') ?? (here.labels?.[0]?.textContent || here.textContent || here.title),
    seen: outlineStyle !== 'none' && outlineWidth !== '0px',
  }
})()`

interface Focused {
  readonly at: number
  readonly called: string
  readonly seen: boolean
}

describeInBrowser('the focus', () => {
  test('goes through every view in the order in which it is read, always seen, on what has a name', async () => {
    const daemon = await openDemo()
    onTestFinished(() => daemon.stop())
    const { page } = await signIn(daemon)
    for (const name of viewNames) {
      await goTo(page, `#/${name}`)
      await beginning(page, name)
      // From the very beginning, wherever the view has put it.
      await page.evaluate('document.querySelector("a").focus()')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Shift+Tab')
      const stops: Focused[] = []
      for (let step = 0; step < 40; step += 1) {
        const stop = await page.evaluate<Focused | null>(focused)
        if (stop === null || stop.at < (stops.at(-1)?.at ?? -1)) break
        stops.push(stop)
        await page.keyboard.press('Tab')
      }
      // The skip link, the eight views and the way out are there in any case.
      expect(stops.length, name).toBeGreaterThanOrEqual(2 + viewNames.length)
      expect(stops[0]?.called, name).toBe('Skip to the content')
      for (const { called, seen } of stops) {
        expect(called.trim(), name).not.toBe('')
        expect([name, called, seen]).toEqual([name, called, true])
      }
      const ordered = await page.locator('[tabindex]:not([tabindex="0"], [tabindex="-1"])').count()
      expect(ordered, name).toBe(0)
    }
  })
})
