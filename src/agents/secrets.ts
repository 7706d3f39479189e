/**
 * Finds secrets in text by the shape of their values, so that nothing captured without a person's word keeps one.
 * Knows shapes alone: a word such as "password" is no secret, and what a value opens is not tried.
 */
import { memberOf } from '../core/json.ts'

/** A kind of secret: its name as it is shown in the text's place, and what its value looks like. */
interface SecretKind {
  readonly kind: string
  /** Global. The named group `value` is what is taken out; without it the whole match is. */
  readonly pattern: RegExp
  /** A last look at the value, where the shape alone would take in harmless text. */
  readonly confirm?: (value: string) => boolean
}

/** Shannon entropy of the characters, bits a character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

const isPlaceholder = (value: string): boolean =>
  /^(?:x+|\*+|\.+|<.*>|\$\{?.*\}?|%.*%|your[-_].*|example.*|changeme|placeholder.*|redacted.*|null|none|true|false)$/i.test(
    value,
  )

/** Whether a value has the entropy of a key: long, of several classes of characters, and spread over them. */
function looksLikeKey(value: string): boolean {
  // A call is code that fetches a key, not a key.
  if (value.length < 16 || isPlaceholder(value) || /\w\(/.test(value)) return false
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((one) => one.test(value)).length
  const hexadecimal = /^[0-9a-f]+$/i.test(value)
  // A path or a host is made of words; a key is not.
  if (/^[./~]|:\/\/|^\w+(?:[./-]\w{2,}){3,}$/.test(value) && !/\d.*\d.*\d.*\d/.test(value)) return false
  return hexadecimal
    ? value.length >= 32 && entropyOf(value) >= 3
    : classes >= 2 && /\d/.test(value) && entropyOf(value) >= 3.4
}

const notPlaceholder = (value: string): boolean => !isPlaceholder(value)

/** More telling shapes first: what one takes out, no later one sees. */
const kinds: readonly SecretKind[] = [
  {
    kind: 'private key',
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----BEGIN)){0,16384}?-----END [A-Z0-9 ]*-----|(?:(?:\r?\n|\\r?\\n|\\n)[A-Za-z0-9+/=]{16,512}(?![^\r\n\\]))*)/g,
  },
  { kind: 'age key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/g },
  { kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g },
  {
    kind: 'AWS secret key',
    pattern: /aws_?(?:secret_?)?(?:access_?)?key["']?\s*[:=]\s*["']?(?<value>[A-Za-z0-9/+]{40})\b/gi,
    confirm: looksLikeKey,
  },
  { kind: 'GitHub token', pattern: /\bgh[pousr]_[A-Za-z0-9]{36,251}\b/g },
  { kind: 'GitHub token', pattern: /\bgithub_pat_[A-Za-z0-9_]{50,}\b/g },
  { kind: 'GitLab token', pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[A-Za-z0-9_-]{20,}\b/g },
  { kind: 'Anthropic key', pattern: /\bsk-ant-[A-Za-z0-9_-]{24,}/g },
  { kind: 'OpenAI key', pattern: /\bsk-(?:proj-|svcacct-|admin-)[A-Za-z0-9_-]{24,}/g },
  { kind: 'OpenAI key', pattern: /\bsk-[A-Za-z0-9]{32,}\b/g },
  { kind: 'Stripe key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}\b/g },
  { kind: 'webhook secret', pattern: /\bwhsec_[A-Za-z0-9+/=]{24,}/g },
  { kind: 'Slack token', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{10,}\b/g },
  { kind: 'Slack token', pattern: /\bxapp-\d-[A-Z0-9]+-\d+-[a-f0-9]{32,}\b/g },
  {
    kind: 'Slack webhook',
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,}/g,
  },
  {
    kind: 'Discord webhook',
    pattern: /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{40,}/g,
  },
  { kind: 'Google API key', pattern: /\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])/g },
  { kind: 'Google OAuth secret', pattern: /\bGOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g },
  { kind: 'Google OAuth token', pattern: /\bya29\.[A-Za-z0-9_-]{30,}/g },
  { kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: 'PyPI token', pattern: /\bpypi-[A-Za-z0-9_-]{50,}/g },
  { kind: 'crates.io token', pattern: /\bcio[A-Za-z0-9]{32}\b/g },
  { kind: 'Docker token', pattern: /\bdckr_[a-z]{3}_[A-Za-z0-9_-]{20,}/g },
  { kind: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{34,}\b/g },
  { kind: 'SendGrid key', pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g },
  { kind: 'Mailgun key', pattern: /\bkey-[0-9a-f]{32}\b/g },
  { kind: 'Twilio key', pattern: /\bSK[0-9a-f]{32}\b/g },
  { kind: 'DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { kind: 'Shopify token', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g },
  { kind: 'Linear key', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{40,}\b/g },
  { kind: 'Vault token', pattern: /\bhv[sbr]\.[A-Za-z0-9_-]{24,}/g },
  { kind: 'Databricks token', pattern: /\bdapi[a-f0-9]{32}\b/g },
  { kind: 'Telegram token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g },
  { kind: 'brain key', pattern: /\bbrain_[A-Za-z0-9]{8}_[A-Za-z0-9]{38}\b/g },
  {
    kind: 'JSON Web Token',
    // Its first letters are what `{"` is in base64. From the beginning of a run of such characters, or behind a name in
    // front of it: of each of thousands of places within a run where one might begin, all of the run would be read.
    pattern:
      /(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]{0,64}?-)??(?<value>ey[I-L][A-Za-z0-9_-]{7,}\.ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,})/g,
  },
  {
    kind: 'password in a URL',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>]{0,128}:(?<value>[^\s/@"'<>]{3,256})@[\w.[\]-]/gi,
    confirm: notPlaceholder,
  },
  {
    kind: 'password in a connection string',
    pattern:
      /(?:Server|Data Source|Host|AccountName)=[^;\n]{1,200};[^\n]{0,200}?(?:Password|Pwd|AccountKey)=(?<value>[^;\s"']{4,})/gi,
    confirm: notPlaceholder,
  },
  {
    kind: 'authorization header',
    pattern: /\bAuthorization["']?\s*:\s*["']?(?:Bearer|Basic|Token)\s+(?<value>[A-Za-z0-9+/=._~-]{12,})/gi,
    confirm: notPlaceholder,
  },
  {
    // curl -u, psql's PGPASSWORD and the like: the name says what the value is, however simple the value.
    kind: 'password',
    pattern: /\b(?:PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SSHPASS|VAULT_TOKEN)=["']?(?<value>[^\s"']{4,})/g,
    confirm: notPlaceholder,
  },
  {
    kind: 'password',
    pattern:
      /\bcurl\b[^\n|;&]{0,300}?\s(?:-u\s{0,3}|--user[\s=])["']?[^\s:"'-][^\s:"']{0,128}:(?<value>[^\s"']{3,256})/g,
    confirm: notPlaceholder,
  },
  {
    kind: 'password',
    pattern:
      /\b(?:login\b[^\n|;&]{0,200}?\s-p\s{0,3}|mysql(?:dump|admin)?\b[^\n|;&]{0,200}?\s-p|--passw(?:or)?d=|login\b[^\n|;&]{0,200}?\s--passw(?:or)?d\s)["']?(?<value>[^\s"'-][^\s"']{3,256})/g,
    confirm: notPlaceholder,
  },
  {
    kind: 'password',
    pattern: /\bredis-cli\b[^\n|;&]{0,200}?\s-a\s{1,3}["']?(?<value>[^\s"'-][^\s"']{3,256})/g,
    confirm: notPlaceholder,
  },
  {
    // Told as an option, or in words: "--client-secret …", "the client secret is …".
    kind: 'key',
    pattern:
      /(?:--(?:(?:api|access|auth|client|private|secret|signing)-?(?:key|token|secret)|token|secret)[\s=]|\b(?:(?:api|access|private|secret|signing) key|token|secret) is\s{1,3})["'`]?(?<value>[^\s"'`,;)\]}]{16,512})/gi,
    confirm: looksLikeKey,
  },
  {
    kind: 'key',
    pattern:
      /(?:key|token|secret|passw(?:or)?d|pwd|credential|auth|dsn|salt|signature)[A-Za-z0-9_]{0,32}["']?\s{0,3}[:=]\s{0,3}["'`]?(?<value>[^\s"'`,;)\]}]{16,512})/gi,
    confirm: looksLikeKey,
  },
]

/** A text without its secrets, and which kinds were found, each once, in the order of their first place in the list. */
export interface Redacted {
  readonly text: string
  readonly kinds: readonly string[]
}

/** Replaces every secret in a text by `[redacted: kind]`. */
export function redactSecrets(text: string): Redacted {
  const found = new Set<string>()
  let clean = text
  for (const { kind, pattern, confirm } of kinds) {
    clean = clean.replace(pattern, (match: string, ...rest: unknown[]) => {
      // The last argument holds the named groups where there are any.
      const named = memberOf(rest.at(-1), 'value')
      const value = typeof named === 'string' ? named : match
      if (value.startsWith('[redacted') || confirm?.(value) === false) return match
      found.add(kind)
      // Wherever it stands: a password that is the user's name as well is told by the name.
      return match.replaceAll(value, () => `[redacted: ${kind}]`)
    })
  }
  return { text: clean, kinds: [...found] }
}
