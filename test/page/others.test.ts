/** What others write while the page is open, and what is typed on it meanwhile: nothing is replaced or deleted unseen. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { call, startTestDaemon } from '../http/daemon.ts'
import { describeInBrowser, goTo, signIn } from './browser.ts'

describeInBrowser('while others write', () => {
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Open record' })

  /** A memory of its own, open in a tab, and a colleague who edits it. */
  async function openMemory(text: string) {
    const daemon = await startTestDaemon()
    const { id } = await daemon.brain.store.memories.add('default', {
      text,
      caution: 0,
      agent: 'default',
      createdAt: Date.now(),
    })
    const { page } = await signIn(daemon)
    await goTo(page, `#/timeline?open=memory.${id}`)
    await panel(page).getByText(text).waitFor()
    return {
      id,
      page,
      edit: (said: string) =>
        call(daemon, '/v1/amend', {
          body: { memory_id: id, text: said },
          headers: { 'x-svc-agent': 'colleague' },
        }),
      said: async () => {
        const found = await daemon.brain.store.memories.find('default', id)
        return typeof found === 'object' ? found.text : undefined
      },
    }
  }

  test('what is to be forgotten is shown as it is now, and asked about anew where it changed meanwhile', async () => {
    const { id, page, edit, said } = await openMemory('Staging is frozen')
    await edit('Staging is thawed')
    await panel(page).getByRole('button', { name: 'Forget…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Staging is thawed').waitFor()
    await edit('Staging is frozen until Tuesday')
    await dialog.getByRole('button', { name: 'Forget' }).click()
    await dialog.getByRole('alert').getByText('It was changed just now').waitFor()
    await dialog.getByText('Staging is frozen until Tuesday').waitFor()
    expect(await said()).toBe('Staging is frozen until Tuesday')
    await dialog.getByRole('button', { name: 'Forget' }).click()
    await page.getByText(`Forgot memory ${id}.`).waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await said()).toBeUndefined()
  })

  test('a question goes with the view that it was asked in', async () => {
    const { page, said } = await openMemory('The lift is checked in May')
    await goTo(page, '#/beliefs')
    await page.goBack()
    await panel(page).getByRole('button', { name: 'Forget…' }).click()
    await page.getByRole('dialog').getByText('The lift is checked in May').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Dreams' }).click()
    await page.getByRole('heading', { name: 'Dreams', level: 1 }).waitFor()
    expect(await said()).toBe('The lift is checked in May')
  })
})
