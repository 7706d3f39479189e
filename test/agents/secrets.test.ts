import { describe, expect, test } from 'vitest'
import { redactSecrets } from '../../src/agents/secrets.ts'
import { createBrainPlace } from '../cli/command-line.ts'

/** Made up; put together here so that no scanner of repositories takes them for lost ones. */
const letters = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0'.repeat(4)
const hexadecimal = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'.repeat(4)
const jwt = [
  Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
  Buffer.from('{"sub":"1234567890"}').toString('base64url'),
  letters.slice(0, 43),
].join('.')

type Around = (secret: string) => string

const of = (kind: string, secret: string, around: Around = (text) => `it was ${text}\nyesterday`) => ({
  kind,
  secret,
  around,
})

const secrets = [
  of('private key', `-----BEGIN RSA PRIVATE ${'KEY'}-----\n${letters}\n-----END RSA PRIVATE ${'KEY'}-----`),
  of('private key', `-----BEGIN OPENSSH PRIVATE ${'KEY'}-----\n${letters}`),
  of('age key', `AGE-SECRET-KEY-1${letters.toUpperCase().slice(0, 58)}`),
  of('AWS access key', `AKIA${'ABCDEFGH234567XY'}`),
  ...['ASIA', 'ABIA', 'ACCA'].map((mark) => of('AWS access key', `${mark}${'ABCDEFGH234567XY'}`)),
  of('AWS secret key', letters.slice(0, 40), (secret) => `aws_secret_access_key = ${secret}`),
  of('GitHub token', `ghp_${letters.slice(0, 36)}`),
  ...['gho', 'ghu', 'ghs', 'ghr'].map((mark) => of('GitHub token', `${mark}_${letters.slice(0, 36)}`)),
  of('GitHub token', `github_pat_${letters.slice(0, 60)}`),
  of('GitLab token', `glpat-${letters.slice(0, 20)}`),
  of('Anthropic key', `sk-ant-api03-${letters.slice(0, 40)}`),
  of('OpenAI key', `sk-proj-${letters.slice(0, 40)}`),
  of('OpenAI key', `sk-${letters.slice(0, 48)}`),
  of('Stripe key', `sk_live_${letters.slice(0, 24)}`),
  of('Stripe key', `rk_test_${letters.slice(0, 24)}`),
  of('webhook secret', `whsec_${letters.slice(0, 32)}`),
  of('Slack token', `xoxb-${letters.slice(0, 40)}`),
  of('Slack webhook', `https://hooks.slack.com/services/${letters.slice(0, 9)}/${letters.slice(0, 24)}`),
  of('Discord webhook', `https://discord.com/api/webhooks/123456789/${letters.slice(0, 60)}`),
  of('Google API key', `AIza${letters.slice(0, 35)}`),
  of('Google OAuth secret', `GOCSPX-${letters.slice(0, 28)}`),
  of('npm token', `npm_${letters.slice(0, 36)}`),
  of('PyPI token', `pypi-${letters.slice(0, 80)}`),
  of('crates.io token', `cio${letters.slice(0, 32)}`),
  of('Docker token', `dckr_pat_${letters.slice(0, 27)}`),
  of('Hugging Face token', `hf_${letters.slice(0, 34)}`),
  of('SendGrid key', `SG.${letters.slice(0, 22)}.${letters.slice(0, 43)}`),
  of('Mailgun key', `key-${hexadecimal.slice(0, 32)}`),
  of('Twilio key', `SK${hexadecimal.slice(0, 32)}`),
  of('DigitalOcean token', `dop_v1_${hexadecimal.slice(0, 64)}`),
  of('Shopify token', `shpat_${hexadecimal.slice(0, 32)}`),
  of('Linear key', `lin_api_${letters.slice(0, 40)}`),
  of('Vault token', `hvs.${letters.slice(0, 24)}`),
  of('Databricks token', `dapi${hexadecimal.slice(0, 32)}`),
  of('Telegram token', `123456789:AA${letters.slice(0, 33)}`),
  of('brain key', `brain_${letters.slice(0, 8)}_${letters.slice(0, 38)}`),
  of('JSON Web Token', jwt),
  of('password in a URL', 'hunter42', (secret) => `postgres://app:${secret}@db.internal:5432/orders`),
  of(
    'password in a connection string',
    'hunter42',
    (secret) => `Server=db1;Database=x;User Id=sa;Password=${secret};`,
  ),
  of('authorization header', letters.slice(0, 30), (secret) => `curl -H "Authorization: Bearer ${secret}"`),
  of('password', 'simple', (secret) => `PGPASSWORD=${secret} psql -h db1`),
  of('password', 'Tr0ub4dor-3', (secret) => `curl -sS -u admin:${secret} https://db.internal/health`),
  of('password', 'correcthorse', (secret) => `curl --user "bob:${secret}" https://db.internal`),
  of('password', 'Sup3rS3cret', (secret) => `docker login -u bob -p ${secret} registry.internal`),
  of('password', 'Sup3rS3cret', (secret) => `mysqldump -uroot -p${secret} orders`),
  of('key', letters.slice(0, 32), (secret) => `PAYMENT_API_KEY=${secret}`),
  of('key', letters.slice(0, 16), (secret) => `PAYMENT_API_KEY=${secret}`),
  of('key', hexadecimal.slice(0, 32), (secret) => `PAYMENT_API_KEY=${secret}`),
  of('key', letters.slice(0, 32), (secret) => `deploy --api-key ${secret} --now`),
  of('key', letters.slice(0, 40), (secret) => `the client secret is ${secret}`),
  of('password', 's3cr3tpw', (secret) => `redis-cli -h cache -a ${secret} ping`),
  of(
    'private key',
    `-----BEGIN RSA PRIVATE ${'KEY'}-----\\n${letters.slice(0, 64)}\\n${letters.slice(64, 128)}`,
  ),
  of('key', hexadecimal.slice(0, 40), (secret) => `"session_secret": "${secret}"`),
]

const harmless: readonly string[] = [
  `PAYMENT_API_KEY=${letters.slice(0, 15)}`,
  `PAYMENT_API_KEY=${hexadecimal.slice(0, 31)}`,
  `PAYMENT_API_KEY=${'0123'.repeat(8)}`,
  'PAYMENT_API_KEY=TheQuickBrownFoxJumpsOver',
  'The password must be rotated every 90 days; ask Priya for it.',
  'Commit 3f2504e04f8941d39a0c0305e82c3301fe2c9d11 broke the build.',
  'request id 550e8400-e29b-41d4-a716-446655440000 timed out',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'set API_KEY=$API_KEY before you run it',
  'API_KEY=your-api-key-goes-here',
  'token: <your token>',
  'password=********************',
  'SECRET_KEY_FILE=/run/secrets/session_key_production',
  'key = "primary_key_of_the_orders_table"',
  'https://example.com/docs/getting-started/authentication-tokens',
  'postgres://localhost:5432/orders',
  'postgres://app@db.internal:5432/orders',
  'https://user:$PASSWORD@registry.example.com',
  'git@github.com:acme/widgets.git',
  'The skeleton loader is in sk-loader.tsx',
  'npm_config_registry is set in CI',
  'the cache key is user_profile_v2_settings',
  'render --cache-key user_profile_v2_settings',
  'curl -u $USER:$PASSWORD https://db.internal',
  'docker login --password-stdin reads it from the vault',
  'mkdir -p build; login with -p is gone',
  'key-value stores were compared on Tuesday',
  'The key to this is author=maria@example.com, authored 2024-03-11',
  'cio: the cache is only invalidated overnight',
  'SGD is 0.74 USD; SG.office opens at nine',
  'eyJ is how every JSON object in base64 begins',
  'Authorization: Bearer <token>',
  'hf_hub_download is slow behind the proxy',
  'monkey: 12, donkey: 34, turkey: 56',
  'public_key_fingerprint is printed by `brain doctor`',
  'auth = OAuth2PasswordBearer(tokenUrl="token")',
]

describe('secrets', () => {
  test.each(secrets)('a $kind is taken out', ({ kind, secret, around }) => {
    const { text, kinds } = redactSecrets(around(secret))
    expect(text).not.toContain(secret)
    expect(text).toBe(around(`[redacted: ${kind}]`))
    expect(kinds).toEqual([kind])
  })

  test.each(harmless)('stays: %s', (text) => {
    expect(redactSecrets(text)).toEqual({ text, kinds: [] })
  })

  test('the list has at least 25 kinds', () => {
    expect(new Set(secrets.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(25)
    expect(harmless.length).toBeGreaterThanOrEqual(25)
  })

  test('a password that is the name of its user, too, is in neither place', () => {
    for (const text of [
      'postgres://hunter42:hunter42@db.example.org/app',
      'Host=db;Username=hunter42;Password=hunter42',
    ])
      expect(redactSecrets(text).text).not.toContain('hunter42')
  })

  test('what stands in front of a name of a secret, or of a token, hides neither', () => {
    for (const text of [
      `${'x'.repeat(100)}_key=${letters.slice(0, 32)}`,
      `${'stage.'.repeat(40)}api-key: ${letters.slice(0, 32)}`,
      `session-of-ey-${jwt}`,
      `cookie.${jwt}`,
    ])
      expect(redactSecrets(text).text).toMatch(/\[redacted: (?:key|JSON Web Token)\]$/)
  })

  // The second took a minute once, where each takes a part of a second: this limit is what is tested.
  test('texts that go on as a secret might begin are searched', { timeout: 20_000 }, () => {
    for (const text of ['a.a.a.'.repeat(170_000), 'eyJ-'.repeat(50_000), `key${'_'.repeat(1_000_000)}`])
      expect(redactSecrets(text)).toEqual({ text, kinds: [] })
  })

  test('of several secrets in one text none stays', () => {
    const whole = secrets.map(({ secret, around }) => around(secret)).join('\n\nand\n\n')
    const { text, kinds } = redactSecrets(whole)
    for (const { secret } of secrets) if (secret.length > 8) expect(text).not.toContain(secret)
    expect(kinds.length).toBeGreaterThanOrEqual(25)
  })
})

test('what a person deliberately gives is kept as given, with a warning on standard error', async () => {
  const place = await createBrainPlace()
  const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  const secret = `the staging token is ${token}`
  for (const command of [
    ['remember', secret],
    ['flag', secret],
    ['edit', '1', `${secret}, still`],
    ['believe', secret],
    ['evidence', '1', '--supporting', '--strength', '0.5', '--note', secret],
    ['revise', '1', `${secret} now`],
    ['predict', 'it holds', '--domain', 'ops', '--basis', secret],
    ['resolve', '1', 'correct', '--actual', secret],
    ['note-about', 'ana', secret],
  ]) {
    const { code, stderr } = await place.run(command)
    expect({ command, code, stderr }).toEqual({
      command,
      code: 0,
      stderr:
        'brain: this seems to hold a secret (GitHub token) and is kept as given: brain forget removes it\n',
    })
  }
  for (const command of ['remember', 'flag', 'believe'])
    expect((await place.run([command, 'the password of the door is at the desk'])).stderr).toBe('')
  const refused = await place.run(['evidence', '99', '--supporting', '--strength', '0.5', '--note', secret])
  const found = await place.run(['forget', '--query', secret, '--yes'])
  for (const { stderr } of [refused, found]) expect(stderr).not.toContain('seems to hold')
  expect((await place.run(['export'])).stdout.split(token).length).toBeGreaterThan(6)
})
