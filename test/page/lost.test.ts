/** A daemon that goes away and comes back, and one that refuses: what the page says, and that nothing has to be reloaded. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDaemon, type TestDaemon } from '../http/daemon.ts'
import { ownPort } from '../http/own-port.ts'
import { temporaryDirectory } from '../models/temporary-directory.ts'
import { describeInBrowser, goTo, newCode, newProfile, newTab, openDemo, signIn } from './browser.ts'

const away = (page: Page) => page.getByRole('alert').getByText('The daemon does not answer.')

describeInBrowser('a daemon that is lost', () => {
  let daemon: TestDaemon

  beforeAll(async () => {
    daemon = await openDemo()
  })
  afterAll(() => daemon?.stop())

  test('is said, keeps what is on screen, and is come back from without a reload', async () => {
    const { page } = await signIn(daemon)
    await goTo(page, '#/timeline')
    await page.evaluate('window.witness = true')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'flags' }).click()
    await away(page).waitFor()
    await page.context().setOffline(false)
    await away(page).waitFor({ state: 'detached' })
    await page.getByRole('list').getByText('Never run the season import').waitFor()
    expect(await page.evaluate('window.witness')).toBe(true)
  })

  test('whichever request is answered first brings back what was missed', async () => {
    const { page } = await signIn(daemon)
    await goTo(page, '#/timeline')
    await page.route('**/health', (route) => route.abort())
    await page.route('**/v1/records?*', (route) => route.abort())
    await page.getByRole('button', { name: 'flags' }).click()
    await away(page).waitFor()
    await page.unroute('**/v1/records?*')
    await page.evaluate('location.hash += "&open=memory.3"')
    await page.getByRole('complementary').getByRole('button', { name: 'Forget…' }).waitFor()
    await page.unroute('**/health')
    await page.getByRole('list').getByText('Never run the season import').waitFor()
  })

  test('a write that did not arrive is said to have changed nothing', async () => {
    const { page } = await signIn(daemon)
    await goTo(page, '#/timeline?open=memory.3')
    await page.getByRole('button', { name: 'Forget…' }).click()
    await page.getByRole('dialog').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
    await page.getByText('Nothing was changed.').waitFor()
    expect(await daemon.brain.store.memories.find('default', 3)).toBeDefined()
  })

  test('a fault of the daemon is said where it happened, with what to do', async () => {
    const { page } = await signIn(daemon)
    await page.route('**/v1/beliefs*', (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"internal error"}' }),
    )
    await goTo(page, '#/beliefs')
    await page.getByRole('alert').getByText('log says more').waitFor()
  })
})

describeInBrowser('a daemon that was started anew', () => {
  test('asks to sign in again, and a sign-in in any tab is one in all of them', async () => {
    const directory = temporaryDirectory()
    const port = await ownPort()
    const first = await startTestDaemon({ directory, port })
    const context = await newProfile()
    const { page } = await signIn(first, context)
    await first.stop()
    await away(page).waitFor()
    const second = await startTestDaemon({ directory, port })
    await page.getByRole('heading', { name: 'Not signed in' }).waitFor()
    const { page: other } = await newTab(context)
    await other.goto(`${second.url}/#code=${await newCode(second)}`)
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
    expect(await away(page).count()).toBe(0)
  })
})
