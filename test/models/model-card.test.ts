import { copyFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtinDirectory } from '../../src/models/builtin-model.ts'
import { findAltered } from '../../src/models/model-card.ts'
import { temporaryDirectory } from './temporary-directory.ts'

test('the files that ship are those of the model card; an altered one is named', async () => {
  expect(await findAltered()).toEqual([])
  const directory = temporaryDirectory()
  for (const file of ['MODEL_CARD.md', 'model.onnx', 'tokenizer.json'])
    copyFileSync(join(builtinDirectory(), file), join(directory, file))
  expect(await findAltered(directory)).toEqual([])
  truncateSync(join(directory, 'model.onnx'), 1_000_000)
  expect(await findAltered(directory)).toEqual(['model.onnx'])
  rmSync(join(directory, 'MODEL_CARD.md'))
  expect(await findAltered(directory)).toBeUndefined()
})
