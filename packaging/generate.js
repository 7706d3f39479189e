/** Writes the generated files; with --check, names those that are stale and changes nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { argv, exit, stderr } from 'node:process'
import { importSource } from './import-source.js'
import { operationLists, writeOperationLists } from './operation-lists.js'

const check = argv.includes('--check')
if (!check) writeOperationLists()

const { agentExtensions, buildProgram, generateReference, renderManPage, renderNotice } = await importSource(
  'generate',
  ...['extensions.ts', 'man-page.ts', 'notice.ts', 'reference.ts'],
)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const files = new Map([
  ...operationLists,
  ...(await generateReference(version)),
  ['man/brain.1', renderManPage(await buildProgram(), version)],
  ['NOTICE', renderNotice()],
  ...agentExtensions(version),
])

const isStale = ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text
const stale = [...files].filter(isStale)
if (check) {
  for (const [path] of stale) stderr.write(`${path} is stale: npm run generate\n`)
  exit(stale.length === 0 ? 0 : 1)
}
for (const [path, text] of stale) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
