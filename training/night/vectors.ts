/** Vectors of texts by an encoder, for roles.py: `{encoder, texts}` on standard input, its directory; float32 rows in base64 on standard output. */
import { readFileSync } from 'node:fs'
import { Encoder } from '../../src/models/encoder.ts'

const asked: { readonly encoder: string; readonly texts: readonly string[] } = JSON.parse(
  readFileSync(0, 'utf8'),
)
const encoder = new Encoder(asked.encoder)
const rows = asked.texts.map((text) => Buffer.from(encoder.embed(text).slice().buffer))
process.stdout.write(Buffer.concat(rows).toString('base64'))
