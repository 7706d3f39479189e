/** The gut-check with the model that ships: what it must see, and what must leave it calm. */
import { beforeAll, describe, expect, it } from 'vitest'
import { defaults } from '../../src/config/config.ts'
import { createEmbedderPool } from '../../src/models/pool.ts'
import { callOperation } from '../../src/operations/call.ts'
import { definitions } from '../../src/operations/index.ts'
import type { Context } from '../../src/operations/operation.ts'
import { openSqliteStore } from '../../src/store/sqlite/store.ts'
import { heldOut, heldOutUnrelated, shaping, shapingUnrelated } from './warnings.ts'

/** A flag and two ways to come near it: with words of its own, and in other words. */
const flags: readonly (readonly [flag: string, near: string, paraphrase: string])[] = [
  [
    'Never drop the users table without a fresh backup: we lost a day of sign-ups in March',
    'drop the users table',
    'delete the table of users from the database',
  ],
  [
    'Do not deploy on Friday afternoon, nobody is there to roll back',
    'deploy the new version this Friday',
    'ship a release late on Friday',
  ],
  [
    'Force-pushing to main destroyed the release history twice',
    'force push to the main branch',
    'git push --force origin main',
  ],
  [
    'Rotating the API keys breaks the mobile clients until they update',
    'rotate the API keys',
    'replace the API keys of the mobile apps',
  ],
  [
    'Restarting the Redis cache logs every customer out',
    'restart redis',
    'flush and restart the cache server',
  ],
  [
    'The nightly import must not run twice, it books every invoice again',
    'run the nightly import again',
    'start the import of invoices a second time',
  ],
  [
    'Upgrading Node on the build servers broke native modules for a week',
    'upgrade Node on the build machines',
    'install a newer Node version on the CI servers',
  ],
  [
    'Disabling certificate checks to make a test pass went to production once',
    'disable the certificate check',
    'turn off TLS certificate verification in the tests',
  ],
]

/** The same flags and more, come near in words that are almost all other words. */
const farther = [
  'push a release live on Friday afternoon',
  'remove the customers table without taking a snapshot',
  'check credentials into git',
  'put the password in the source code',
  'alter the schema while traffic is high',
  'erase the storage bucket with the uploads',
  'merge the pull request without anyone looking at it',
  'raise the maximum number of database connections',
]

const moreFlags = [
  'Do not commit secrets or API keys to the repository',
  'Running migrations during peak hours locked the database',
  'Deleting the S3 bucket broke all customer uploads',
  'Do not merge without code review, last time it caused an outage',
  'Increasing the connection pool exhausted Postgres memory',
]

const unrelated = [
  'write the minutes of the team meeting',
  'choose a colour for the settings icon',
  'translate the welcome page into Spanish',
  'order new chairs for the office',
  'add a dark theme to the documentation site',
  'compress the pictures of the landing page',
  'plan the stand for the trade fair',
  'explain recursion to a student',
  'rename a variable in the parser',
  'fix a spelling mistake in the changelog',
  'draw a diagram of the billing flow',
  'reply to the newsletter question about pricing',
]

const ordinary = [
  'The parser reads one line at a time',
  'Lunch is at noon in the kitchen',
  'The landing page uses two fonts',
  'Marta owns the billing service',
  'The search index is rebuilt every Sunday',
]

async function openBrain(warnings: readonly string[]): Promise<{ context: Context; close(): Promise<void> }> {
  const warn = (message: string) => {
    throw new Error(message)
  }
  const store = await openSqliteStore(':memory:', { durability: 'normal', create: true, label: 'test', warn })
  const embedders = createEmbedderPool({ config: defaults, warn, environment: {} })
  const context = { project: 'mine', agent: 'default', store, embedders, config: defaults, now: Date.now }
  for (const text of ordinary) await callOperation(definitions.remember, context, { text })
  for (const text of warnings) await callOperation(definitions.flag, context, { text })
  return {
    context,
    close: async () => {
      await embedders.close()
      await store.close()
    },
  }
}

describe('the gut-check with the built-in model', () => {
  let context: Context
  beforeAll(async () => {
    const brain = await openBrain([...flags.map(([text]) => text), ...moreFlags])
    context = brain.context
    return brain.close
  })

  const assess = (topic: string) => definitions.assess.run(context, { topic })

  it.each(flags)('sees danger in what stands in a flag: %s', async (text, near) => {
    const { verdict, why } = await assess(near)
    expect(verdict).toBe('danger')
    expect(why).toContain(text.slice(0, 30))
  })

  it('is wary of most that is the same in other words', async () => {
    const topics = [...flags.map(([, , paraphrase]) => paraphrase), ...farther]
    let wary = 0
    for (const topic of topics) if ((await assess(topic)).verdict !== 'clear') wary += 1
    expect(wary).toBeGreaterThanOrEqual(9)
  })

  it.each(unrelated)('stays calm at: %s', async (topic) => {
    expect(await assess(topic)).toMatchObject({ verdict: 'clear', based_on: null })
  })
})

describe.each([
  [
    'that shaped it',
    shaping,
    shapingUnrelated,
    { paraphrase: 22, otherAction: 2, otherObject: 1, unrelated: 1 },
  ],
  ['held out', heldOut, heldOutUnrelated, { paraphrase: 18, otherAction: 1, otherObject: 1, unrelated: 1 }],
])('the gut-check on warnings %s', (_, warnings, unrelated, measured) => {
  let context: Context
  beforeAll(async () => {
    const brain = await openBrain(warnings.map(({ flag }) => flag))
    context = brain.context
    return brain.close
  })

  async function countOf(topics: readonly string[], counts: (verdict: string) => boolean): Promise<number> {
    let count = 0
    for (const topic of topics) {
      const { verdict } = await definitions.assess.run(context, { topic })
      if (counts(verdict)) count += 1
    }
    return count
  }
  const isDanger = (verdict: string): boolean => verdict === 'danger'

  it('sees danger in the very words of each', async () => {
    expect(
      await countOf(
        warnings.map(({ flag }) => flag),
        isDanger,
      ),
    ).toBe(warnings.length)
  })

  it('is wary of what means the same', async () => {
    const topics = warnings.map(({ paraphrase }) => paraphrase)
    expect(await countOf(topics, (verdict) => verdict !== 'clear')).toBeGreaterThanOrEqual(
      measured.paraphrase,
    )
  })

  it('takes little for danger that is only on the same thing, that only does the same, or neither', async () => {
    const actions = warnings.map(({ otherAction }) => otherAction)
    const objects = warnings.map(({ otherObject }) => otherObject)
    expect(await countOf(actions, isDanger)).toBeLessThanOrEqual(measured.otherAction)
    expect(await countOf(objects, isDanger)).toBeLessThanOrEqual(measured.otherObject)
    expect(await countOf(unrelated, isDanger)).toBeLessThanOrEqual(measured.unrelated)
  })
})

describe('the gut-check on a ban with a time', () => {
  let context: Context
  beforeAll(async () => {
    const brain = await openBrain([
      'No deploys on Friday after lunch',
      'Never restart the Kafka brokers by day',
    ])
    context = brain.context
    return brain.close
  })

  const riskOf = async (topic: string): Promise<number> =>
    (await definitions.assess.run(context, { topic })).risk

  it.each([
    ['deploy the cart fix on Friday right after lunch', 'deploy the cart fix on Friday morning'],
    ['deploy the cart fix on Friday at 15:00', 'deploy the cart fix on Tuesday at 15:00'],
    ['deploy the cart fix this Friday afternoon', 'deploy the cart fix on Thursday afternoon'],
  ])('holds more against "%s" than against "%s"', async (within, outside) => {
    expect(await riskOf(within)).toBeGreaterThan(await riskOf(outside))
  })

  it('is wary of what falls into the time', async () => {
    const topic = 'Deploy the cart fix on Friday right after lunch'
    const { verdict, why } = await definitions.assess.run(context, { topic })
    expect(verdict).not.toBe('clear')
    expect(why).toContain('it falls into the time that the warning names')
  })

  it('leaves the ban itself in peace', async () => {
    const topic = 'do not restart the Kafka brokers today, the config can wait'
    expect(await definitions.assess.run(context, { topic })).toMatchObject({ verdict: 'clear' })
  })
})

describe('the gut-check on one flag', () => {
  let context: Context
  beforeAll(async () => {
    const brain = await openBrain(['Deleting the customer table lost a week of orders'])
    context = brain.context
    return brain.close
  })

  it.each([
    ['delete the customer table', 'danger'],
    ['drop the table of customers', 'danger'],
    ['the customer table', 'danger'],
  ])('%s: %s', async (topic, verdict) => {
    expect((await definitions.assess.run(context, { topic })).verdict).toBe(verdict)
  })

  it.each([
    'add an index to the customer table',
    'list the columns of the customer table',
    'delete the old screenshots',
  ])('does not refuse: %s', async (topic) => {
    expect((await definitions.assess.run(context, { topic })).verdict).not.toBe('danger')
  })
})

describe('the gut-check on a flag that tells what followed', () => {
  let context: Context
  beforeAll(async () => {
    const brain = await openBrain(['Committing the Stripe secret to git forced us to rotate every key'])
    context = brain.context
    return brain.close
  })

  it.each([
    "git commit -am 'add STRIPE_SECRET_KEY=sk_live_abc to config.json'",
    'commit the Stripe secret to git and rotate it later',
  ])('refuses: %s', async (topic) => {
    expect(await definitions.assess.run(context, { topic })).toMatchObject({
      verdict: 'danger',
      why: expect.not.stringContaining('it forces nothing'),
    })
  })

  it.each([
    'git add .env with the Stripe key and commit',
    'rotate the Stripe secret by committing a new one',
  ])('lets what may be it pass no more than with a word: %s', async (topic) => {
    const { verdict } = await definitions.assess.run(context, { topic })
    expect(verdict).not.toBe('clear')
  })

  it.each(['rotate the Stripe secret', 'rotate every key'])(
    'lets what had to be done be done: %s',
    async (topic) => {
      expect(await definitions.assess.run(context, { topic })).toMatchObject({
        verdict: 'clear',
        why: expect.stringContaining('it does what had to be done afterwards'),
      })
    },
  )
})

describe('the gut-check on flags that name what must come first', () => {
  let context: Context
  beforeAll(async () => {
    const brain = await openBrain([
      'Deploying the ticket API has broken kiosk login; check the session cookie name first.',
      'A TestFlight build without an iOS 15 smoke test crashed on launch for the whole pilot group.',
      'Mailing museums before the status page is updated caused a hundred support calls.',
      'Deleting old backups from lumen-backup-fsn1 removed the only good dump in May.',
    ])
    context = brain.context
    return brain.close
  })

  const told = 'it does what must not be left undone'

  it('takes what must come first by itself for what the warning asks for', async () => {
    const { nearest, why } = await definitions.assess.run(context, { topic: 'check the session cookie name' })
    expect(nearest[0]?.relevance).toBeLessThan(0.2)
    expect(why).toContain('it takes what the warning asks for')
  })

  it.each([
    'deploy the ticket API on Tuesday morning after checking the session cookie name',
    'send the museum mail after the status page has been updated',
    'update the status page first, then mail the museums',
    'run the iOS 15 smoke test before uploading the TestFlight build',
  ])('counts for a plan what it does first: %s', async (topic) => {
    const { nearest, why } = await definitions.assess.run(context, { topic })
    expect(nearest[0]?.relevance).toBeLessThan(0.5)
    expect(why).toContain(told)
  })

  it.each([
    'deploy the ticket API, then check the session cookie name',
    'do not check the session cookie name',
    'upload the TestFlight build before the iOS 15 smoke test',
    'mail the museums before the status page is updated',
    'skip the iOS 15 smoke test before uploading the TestFlight build',
  ])('does not take the wrong order for it: %s', async (topic) => {
    expect((await definitions.assess.run(context, { topic })).why).not.toContain(told)
  })

  it('tells the words of a warning in the other order from it', async () => {
    const one = await openBrain(['No deploy before the smoke test is green'])
    const whyOf = async (topic: string) => (await definitions.assess.run(one.context, { topic })).why
    expect(await whyOf('deploy once the smoke test is green')).not.toContain('in the words of the warning')
    expect(await whyOf('deploy before the smoke test is green')).toContain('in the words of the warning')
    await one.close()
  })

  it.each(['empty the bucket lumen-backup-fsn1', 'rm -rf old dumps in the backup bucket'])(
    'takes no mishap for a recommendation: %s',
    async (topic) => {
      const { why } = await definitions.assess.run(context, { topic })
      expect(why).not.toContain('what the warning recommends')
    },
  )
})

describe('what a warning leaves free, and what only repeats it', () => {
  it.each([
    ['Never deploy the shop on Fridays after 16:00', 'deploy the shop on Friday at 17:30', false],
    ['Never deploy the shop on Fridays after 16:00', 'deploy the shop on Friday at 14:00', true],
    ['Never deploy the shop on Fridays after 16:00', 'deploy the shop on Monday', true],
    ['Emptying the shared cache logged every customer out', 'empty the shared cache', false],
    ['Emptying the shared cache logged every customer out', 'do not empty the shared cache', true],
    ['Emptying the shared cache logged every customer out', 'remind Ana not to empty the shared cache', true],
  ])('of "%s" and "%s"', async (flag, topic, isClear) => {
    const { context, close } = await openBrain([flag])
    const { verdict } = await definitions.assess.run(context, { topic })
    await close()
    expect(verdict === 'clear').toBe(isClear)
  })
})

describe('of a long plan', () => {
  const long = `${'write the minutes of the meeting about the office plants and the new chairs, '.repeat(6)}`
  const mild = Array.from(
    { length: 30 },
    (_, at) => `The minutes of meeting ${at} about the office plants were lost`,
  )

  /** Texts that the pair model reads as flags, in order. */
  async function readBeside(topic: string, grave: string): Promise<string[]> {
    const { context, close } = await openBrain([])
    for (const text of mild) await callOperation(definitions.flag, context, { text, caution: 0.3 })
    await callOperation(definitions.flag, context, { text: grave, caution: 0.9 })
    const reader = await context.embedders.reader()
    if (reader === undefined) throw new Error('no pair model')
    const read: string[] = []
    const judge: typeof reader.judge = (flag, plans) => {
      read.push(flag)
      return reader.judge(flag, plans)
    }
    const watched = { judge, aim: reader.aim.bind(reader) }
    const embedders = Object.assign(Object.create(context.embedders), { reader: async () => watched })
    await definitions.assess.run({ ...context, embedders }, { topic })
    await close()
    return read
  }

  it('fewer warnings are read than of a short one, and a graver one behind them all the same', async () => {
    const grave = 'Watering the server room flooded two racks'
    const [short, whole] = [await readBeside('minutes of the meeting', grave), await readBeside(long, grave)]
    expect(short).toHaveLength(9)
    expect(whole.length).toBeLessThan(short.length)
    expect(whole).toContain(grave)
  })
})

describe('the gut-check on a flag that names the forbidden way and the one to take', () => {
  it.each([
    [
      'Do not restart all order-consumer pods at once; restart them one at a time',
      'restart all order-consumer pods at once',
      'restart the order-consumer pods one at a time',
    ],
    [
      'Upgrading Go dependencies with go get -u ./... broke the build; upgrade one module at a time',
      'go get -u ./...',
      'upgrade the modules one at a time',
    ],
    [
      "Don't use time.Now() in tests; inject the clock package",
      'go on with time.Now() in the refund tests',
      'inject the clock package in the refund tests',
    ],
    [
      'Never commit .env files to git; put the values into the vault',
      'git add .env',
      'put the new values into the vault',
    ],
    [
      'Do not add an index to orders without CONCURRENTLY: it locked the table for nine minutes',
      'CREATE INDEX i ON orders(a)',
      'CREATE INDEX CONCURRENTLY i ON orders(a)',
    ],
  ])('%s', async (flag, forbidden, recommended) => {
    const { context, close } = await openBrain([flag])
    const [worse, better] = [
      await definitions.assess.run(context, { topic: forbidden }),
      await definitions.assess.run(context, { topic: recommended }),
    ]
    expect(worse.verdict).not.toBe('clear')
    expect(better.verdict).not.toBe('danger')
    expect(better.risk).toBeLessThan(worse.risk / 2)
    await close()
  })

  it('a tool call is judged by the command that it runs, a chain by its gravest', async () => {
    const { context, close } = await openBrain(['Never force-push to main, it wiped two days of work'])
    const riskOf = async (topic: string) => (await definitions.assess.run(context, { topic })).risk
    const command = 'git push --force origin main'
    expect(await riskOf(JSON.stringify({ tool_name: 'Bash', tool_input: { command } }))).toBe(
      await riskOf(command),
    )
    const chain = await definitions.assess.run(context, { topic: `git status && ${command}` })
    expect(chain).toMatchObject({ verdict: 'danger', why: expect.not.stringContaining('changes nothing') })
    await close()
  })
})
