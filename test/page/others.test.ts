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

  test('Undo leaves what somebody else has written since, and says who', async () => {
    const { id, page, edit, said } = await openMemory('Staging is frozen')
    await panel(page).getByRole('button', { name: 'Edit' }).click()
    await panel(page).getByLabel(`Text of memory ${id}`).fill('Staging is thawed')
    await panel(page).getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await edit('Staging is frozen until Tuesday')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').getByText('written by colleague').waitFor()
    await page.getByRole('status').getByText('edit what it says then. Nothing was changed.').waitFor()
    await panel(page).getByText('Staging is frozen until Tuesday').waitFor()
    expect(await said()).toBe('Staging is frozen until Tuesday')
  })

  test('Save replaces nothing that its author has not seen: what another wrote meanwhile is shown first', async () => {
    const { id, page, edit, said } = await openMemory('Staging is frozen')
    const field = panel(page).getByLabel(`Text of memory ${id}`)
    await panel(page).getByRole('button', { name: 'Edit' }).click()
    await field.fill('Staging is thawed')
    await edit('Staging is frozen until Tuesday')
    await panel(page).getByRole('button', { name: 'Save' }).click()
    const warning = panel(page).getByRole('alert')
    await warning.getByText('Edited since by colleague').waitFor()
    await warning.getByText('Staging is frozen until Tuesday').waitFor()
    expect(await field.inputValue()).toBe('Staging is thawed')
    expect(await said()).toBe('Staging is frozen until Tuesday')
    await panel(page).getByRole('button', { name: 'Save' }).click()
    await field.waitFor({ state: 'detached' })
    expect(await said()).toBe('Staging is thawed')
  })

  test('what was typed waits for whoever closes the record or goes elsewhere, until it is saved or given up', async () => {
    const { id, page, edit, said } = await openMemory('Staging is frozen')
    const field = panel(page).getByLabel(`Text of memory ${id}`)
    await panel(page).getByRole('button', { name: 'Edit' }).click()
    await field.fill('Staging is frozen for good')
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    await page.getByText(`Your edit of memory ${id} is not saved`).waitFor()
    await page.getByRole('link', { name: 'Staging is frozen' }).click()
    await expect.poll(() => field.inputValue()).toBe('Staging is frozen for good')
    await page.getByRole('link', { name: 'Beliefs' }).click()
    await panel(page).waitFor({ state: 'detached' })
    await edit('Staging is thawed')
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe('Staging is frozen for good')
    // What it says by now is told beside it, and Cancel keeps that.
    await panel(page).getByRole('alert').getByText('Staging is thawed').waitFor()
    await panel(page).getByRole('button', { name: 'Cancel' }).click()
    await panel(page).getByText('Staging is thawed').waitFor()
    await page.keyboard.press('Escape')
    await goTo(page, `#/timeline?open=memory.${id}`)
    await panel(page).getByRole('button', { name: 'Edit' }).waitFor()
    expect(await said()).toBe('Staging is thawed')
  })

  test('a tag and a plan that were typed wait for whoever goes elsewhere, until they are sent', async () => {
    const { id, page } = await openMemory('Staging is frozen')
    const field = panel(page).getByRole('textbox', { name: 'Add a tag' })
    await field.fill('freezes')
    await page.getByRole('link', { name: 'Warnings' }).click()
    await page.getByText(`Your tag of memory ${id} is not saved`).waitFor()
    const plan = page.getByLabel('A plan or step')
    await plan.fill('deploy to staging')
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe('freezes')
    await field.press('Enter')
    await panel(page).getByRole('link', { name: 'freezes' }).waitFor()
    expect(await field.inputValue()).toBe('')
    await page.getByRole('link', { name: 'Warnings' }).click()
    await expect.poll(() => plan.inputValue()).toBe('deploy to staging')
    await page.getByRole('button', { name: 'Assess' }).click()
    await page.getByRole('region', { name: 'Verdict' }).waitFor()
    expect(await plan.inputValue()).toBe('deploy to staging')
    await plan.fill('deploy to staging tonight')
    await page.getByRole('link', { name: 'Beliefs' }).click()
    await page.getByText('Your plan to assess is not saved').waitFor()
    await page.getByRole('link', { name: 'Warnings' }).click()
    await expect.poll(() => plan.inputValue()).toBe('deploy to staging tonight')
    await goTo(page, '#/warnings?plan=thaw+staging')
    await expect.poll(() => plan.inputValue()).toBe('thaw staging')
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
