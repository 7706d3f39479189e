/**
 * How notes stand to each other, for fit_odds.py: `{encoder, night, pairs}` on standard input, each pair the text that is read first and the other one; on standard output a line a
 * pair, its probabilities.
 */
import { readFileSync } from 'node:fs'
import { Encoder } from '../../src/models/encoder.ts'
import { NightModel } from '../../src/models/night-model.ts'

const asked: { readonly encoder: string; readonly night: string; readonly pairs: readonly [string, string][] } =
  JSON.parse(readFileSync(0, 'utf8'))
const model = new NightModel(asked.night, new Encoder(asked.encoder))
for (const [first, second] of asked.pairs) process.stdout.write(`${JSON.stringify(model.stand(first, second))}\n`)
