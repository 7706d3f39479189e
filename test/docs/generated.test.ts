import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generateFiles } from '../../packaging/reference.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const files = await generateFiles(version)

test.for([...files])('%s is what `npm run generate` makes', ([path, text]) => {
  const found = existsSync(path) ? readFileSync(path, 'utf8') : ''
  expect(found === text, `${path} is stale: npm run generate`).toBe(true)
})
