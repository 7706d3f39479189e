/** Everyday steps beside a team's typical warnings: a gut-check that alarms at them is soon ignored. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import { createEmbedderPool } from '../../src/models/pool.ts'
import { callOperation } from '../../src/operations/call.ts'
import { definitions } from '../../src/operations/index.ts'
import type { Context } from '../../src/operations/operation.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'

const flags = [
  'Never force-push to main or a release branch: in March it cost us two days of history',
  'Do not deploy on Friday afternoon, nobody is there to roll back',
  'Never commit credentials or .env files, the Stripe key leaked that way',
  'Run database migrations only at night; at noon one locked the orders table for nine minutes',
  'Do not merge dependency bumps without running the end-to-end tests',
  'Deleting the S3 bucket of uploads broke every profile page',
  'Never log e-mail addresses of customers',
  'Do not skip the tests before a release, 2.3.0 went out broken',
  'Restarting Redis logs every customer out',
  'Ask Priya before changing anything in the billing module',
  'Never rename public API endpoints, partners depend on them',
  'Rebasing a branch that somebody else works on lost three commits',
]

/** As they stand in the histories of ordinary repositories. */
const subjects = [
  "Merge branch 'main' into feature/checkout-redesign",
  "Merge branch 'main' of github.example:acme/shop",
  "Merge branch 'develop' into nina/avatar-crop",
  "Merge remote-tracking branch 'origin/main' into feature/search-filters",
  'Merge pull request #482 from acme/fix-tooltip',
  "Merge tag 'v3.1.0' into develop",
  'Bump version to 3.1.1',
  'Release 2.8.0',
  'Update changelog',
  'Update README with installation steps',
  'Fix typo in contributing guide',
  'Fix broken link in docs',
  'Fix padding of the product card',
  'Fix null pointer when the cart is empty',
  'Fix date formatting in the order list',
  'Fix race in the image loader',
  'Add unit tests for the price calculator',
  'Add loading spinner to the search page',
  'Add French translation',
  'Add pagination to the comments list',
  'Add a script that generates sample data',
  'Remove unused CSS',
  'Remove obsolete polyfill',
  'Rename helper to formatPrice',
  'Refactor the address form into smaller components',
  'Extract the validation into a hook',
  'Move icons into their own folder',
  'Simplify the sorting of categories',
  'Improve contrast of disabled buttons',
  'Improve error messages of the importer',
  'Clean up after review',
  'Use the new date picker in reports',
  'Handle an empty response in the weather widget',
  'Show a hint when no results are found',
  'Run prettier',
  'Sort imports alphabetically',
  'Cache thumbnails in the browser',
  'docs: describe the plugin interface',
  'refactor(parser): split the tokenizer',
  'WIP: draft of the statistics page',
]

const sentences = [
  "answer Priya's question",
  'two more days of work',
  'run the tests before pushing',
  "Merge branch 'main' into feature",
]

let context: Context

async function openBrain(warnings: readonly string[]): Promise<{ context: Context; close(): Promise<void> }> {
  const warn = (message: string) => {
    throw new Error(message)
  }
  const store = await openSqliteStore(':memory:', { durability: 'normal', create: true, label: 'test', warn })
  const embedders = createEmbedderPool({ config: defaults, warn, environment: {} })
  const opened = { project: 'mine', agent: 'default', store, embedders, config: defaults, now: Date.now }
  for (const text of warnings) await callOperation(definitions.flag, opened, { text })
  return {
    context: opened,
    close: async () => {
      await embedders.close()
      await store.close()
    },
  }
}

beforeAll(async () => {
  const brain = await openBrain(flags)
  context = brain.context
  return brain.close
})

it.each(subjects)('never refuses the ordinary subject "%s"', async (topic) => {
  const { verdict } = await definitions.assess.run(context, { topic })
  expect(verdict).not.toBe('danger')
})

it.each(sentences)('stays clear beside one flag on force-pushing: %s', async (topic) => {
  const brain = await openBrain(flags.slice(0, 1))
  const { verdict } = await definitions.assess.run(brain.context, { topic })
  await brain.close()
  expect(verdict).toBe('clear')
})

it.each([
  'git push origin main',
  "git commit -m 'Move the export onto the queue'",
  'git commit -am "Fix typo in the readme"',
  'git merge main',
  'git pull --rebase',
  'git rebase main',
  'git checkout -b fix/login',
  'git push origin feature/login',
])('is no danger beside one flag on force-pushing: %s', async (topic) => {
  const brain = await openBrain(flags.slice(0, 1))
  const { verdict } = await definitions.assess.run(brain.context, { topic })
  await brain.close()
  expect(verdict).not.toBe('danger')
})

const ownBranch = 'Never push straight to main: open a pull request'

it.each([
  'git push -u origin feat/x',
  'git push origin fix-typo',
  'git pull --rebase origin main',
  'git rebase main',
  'git merge origin/main',
  "git add -A && git commit -m 'Fix a typo' && git push -u origin feat/x",
])('is clear beside a flag on pushing to main: %s', async (topic) => {
  const brain = await openBrain([ownBranch])
  const { verdict } = await definitions.assess.run(brain.context, { topic })
  await brain.close()
  expect(verdict).toBe('clear')
})

it.each([
  'git push origin main',
  'git push origin HEAD:main',
  'git push origin :main',
  'git push origin refs/heads/main',
  'git add -A\ngit push origin main',
  'git checkout main && git merge feat/x && git push origin main',
])('is a danger beside that flag: %s', async (topic) => {
  const brain = await openBrain([ownBranch])
  const { verdict } = await definitions.assess.run(brain.context, { topic })
  await brain.close()
  expect(verdict).toBe('danger')
})

it('says which push it is', async () => {
  const brain = await openBrain([ownBranch])
  const { why } = await definitions.assess.run(brain.context, { topic: 'git push origin main' })
  await brain.close()
  expect(why).toContain('it pushes there ("git push origin main")')
})

it.each(['git fetch || git push origin main', 'git commit -am "Fix a typo" and then git push origin main'])(
  'is not clear beside that flag for what stands before it: %s',
  async (topic) => {
    const brain = await openBrain([ownBranch])
    const { verdict } = await definitions.assess.run(brain.context, { topic })
    await brain.close()
    expect(verdict).not.toBe('clear')
  },
)

it('tells an install from a forced one', async () => {
  const brain = await openBrain(['npm install --force hid a peer dependency conflict for weeks'])
  const verdictOf = async (topic: string) => (await definitions.assess.run(brain.context, { topic })).verdict
  expect(await verdictOf('npm install lodash')).not.toBe('danger')
  expect(await verdictOf('npm install --force')).toBe('danger')
  await brain.close()
})

it.each(['git push -f', 'git push origin +main', 'git push --force-with-lease origin main'])(
  'is a danger beside that flag: %s',
  async (topic) => {
    const brain = await openBrain(flags.slice(0, 1))
    const { verdict } = await definitions.assess.run(brain.context, { topic })
    await brain.close()
    expect(verdict).toBe('danger')
  },
)

it.each(sentences)('refuses nothing of this beside twelve flags: %s', async (topic) => {
  const { verdict } = await definitions.assess.run(context, { topic })
  expect(verdict).not.toBe('danger')
})

it('refuses a force push to main all the same', async () => {
  const { verdict, why } = await definitions.assess.run(context, { topic: 'git push --force origin main' })
  expect(verdict).toBe('danger')
  expect(why).toContain('Never force-push to main')
})

it('tells most everyday commands from the one of their tool that a warning is about', async () => {
  type Commands = { readonly flag: string; readonly everyday: string[]; readonly harmful: string[] }
  const sets: readonly Commands[] = JSON.parse(readFileSync('bench/everyday-commands.json', 'utf8'))
  const refused: string[] = []
  const missed: string[] = []
  for (const { flag, everyday, harmful } of sets) {
    const brain = await openBrain([flag])
    const verdictOf = async (topic: string) =>
      (await definitions.assess.run(brain.context, { topic })).verdict
    for (const topic of everyday) if ((await verdictOf(topic)) === 'danger') refused.push(topic)
    for (const topic of harmful) if ((await verdictOf(topic)) === 'clear') missed.push(topic)
    await brain.close()
  }
  expect(refused.length, refused.join('\n')).toBeLessThanOrEqual(4)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(3)
})
