/** Bad JSON, texts and numbers. */
import { gzipSync } from 'node:zlib'
import { post, type Row, remember } from './requests.ts'

const notJson = [400, 'body is not valid JSON'] as const
const notObject = [400, 'body must be a JSON object'] as const

const sent = (body: string | Buffer, [status, error]: readonly [number, string], what?: string): Row =>
  post('/v1/remember', body, [status, error], what === undefined ? {} : { what })

const nested = (depth: number): string => `{"text":${'['.repeat(depth)}${']'.repeat(depth)}}`

export const json: readonly Row[] = [
  ...[
    '',
    ' ',
    '\n',
    '{',
    '}',
    '{"text"',
    '{"text":',
    '{"text":"x"',
    '{"text":"x",}',
    '{text:"x"}',
    "{'text':'x'}",
    '{"text":"x"}{"text":"y"}',
    '{"text":"x"} extra',
    '{"text":undefined}',
    '{"text":NaN}',
    '{"text":Infinity}',
    '{"text":-}',
    '{"text":01}',
    '{"text":0x10}',
    '{"text":1.}',
    '{"text":.5}',
    '{"text":+1}',
    '{"text":1e}',
    '{"text":"x" /* why */}',
    '// x\n{"text":"x"}',
    '{"text":"a\nb"}',
    '{"text":"a\u0000b"}',
    '{"text":"\\x41"}',
    '{"text":"\\u12"}',
    '{"text":"\\"}',
    'text=x',
    '<text>x</text>',
    '\ufeff{"text":"x"}',
    '{"text":True}',
    '[1,2',
  ].map((body) => sent(body, notJson)),
  sent(Buffer.from('{"text":"x"}', 'utf16le'), notJson, 'UTF-16'),
  sent(gzipSync('{"text":"x"}'), notJson, 'gzip'),
  sent(Buffer.from([0xff, 0xfe, 0xfd]), notJson, 'bytes that are no UTF-8'),
  sent(Buffer.from('{"text":"ok"\xff}', 'latin1'), notJson, 'an invalid byte between members'),
  sent(Buffer.from('{"text":"\xff","text":"ok"}', 'latin1'), notJson, 'an invalid byte in a replaced member'),
  ...['null', 'true', '1', '"text"', '[]', '[{"text":"x"}]'].map((body) => sent(body, notObject)),
  sent(nested(31), [400, 'text must be a string'], 'nested 31 deep'),
  sent(nested(32), [400, 'body must be nested at most 32 levels deep'], 'nested too deep'),
  sent(nested(200_000), [400, 'body must be nested at most 32 levels deep'], 'nested 200,000 deep'),
  sent('['.repeat(1_000_000), [400, 'body must be nested at most 32 levels deep'], 'a million brackets'),
  sent(
    `{${Array.from({ length: 6_000 }, (_, at) => `"m${at}":0`).join()}}`,
    [400, 'body must have at most 10000 members and elements'],
    'six thousand members',
  ),
  sent(
    `{"text":[${'0,'.repeat(10_001)}0]}`,
    [400, 'body must have at most 10000 members and elements'],
    'ten thousand elements',
  ),
  sent(`{"text":"${'\\'.repeat(500_001)}"}`, notJson, 'half a million backslashes'),
]

const unknown = (body: string, name: string): Row => sent(body, [400, `unknown field: ${name}`])

export const members: readonly Row[] = [
  unknown('{"text":"x","more":1}', 'more'),
  unknown('{"more":1}', 'more'),
  unknown('{"Text":"x"}', 'Text'),
  unknown('{"text ":"x"}', 'text '),
  unknown('{"":"x"}', ''),
  unknown('{"text":"x","__proto__":{}}', '__proto__'),
  unknown('{"text":"x","constructor":1}', 'constructor'),
  unknown('{"text":"x","toString":1}', 'toString'),
  unknown('{"text":"x","hasOwnProperty":1}', 'hasOwnProperty'),
  unknown('{"text":"x","project":"other"}', 'project'),
  unknown('{"text":"x","id":7}', 'id'),
  unknown('{"text":"x","caution":1}', 'caution'),
  unknown('{"a\\u0000b":1}', 'a\ufffdb'),
  unknown('{"a\\ud800b":1}', 'a\ufffdb'),
  unknown(`{"${'n'.repeat(500)}":1}`, `${'n'.repeat(80)}…`),
  sent('{}', [400, 'text is required']),
  sent('{"text":null}', [400, 'text is required']),
  ...['1', 'true', '[]', '{}', '["x"]'].map((value) =>
    sent(`{"text":${value}}`, [400, 'text must be a string']),
  ),
  post('/v1/remember?text=x', '{"text":"x"}', [400, 'unknown field: text']),
  post('/v1/remember?', '{}', [400, 'text is required']),
  post('/v1/recall?limit=1', '{"query":"x"}', [400, 'unknown field: limit']),
  post('/v1/remember', '{"text":"good","text":""}', [400, 'text must not be empty']),
]

const ill = 'text must be well-formed Unicode'

export const texts: readonly Row[] = [
  remember('', 'text must not be empty'),
  remember(' ', 'text must not be empty'),
  remember('\\n\\t\\r', 'text must not be empty'),
  remember('\u00a0\u2003\u3000', 'text must not be empty', 'nothing but Unicode spaces'),
  remember('\ufeff', 'text must not be empty', 'a byte order mark alone'),
  remember('a\\u0000b', 'text must not contain NUL'),
  remember('\\u0000', 'text must not contain NUL'),
  remember('\\ud800', ill),
  remember('\\udc00', ill),
  remember('\\udc00\\ud800', ill),
  remember('ok \\ud83d', ill),
  remember(Buffer.from([0xff]), ill, 'byte FF'),
  remember(Buffer.from([0x80]), ill, 'a lone continuation byte'),
  remember(Buffer.from([0xc0, 0xaf]), ill, 'an overlong slash'),
  remember(Buffer.from([0xc0, 0x80]), ill, 'an overlong NUL'),
  remember(Buffer.from([0xe2, 0x82]), ill, 'a truncated euro sign'),
  remember(Buffer.from([0xed, 0xa0, 0x80]), ill, 'a surrogate in UTF-8'),
  remember(Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), ill, 'a pair of surrogates in UTF-8'),
  remember(Buffer.from([0xf4, 0x90, 0x80, 0x80]), ill, 'beyond the last code point'),
  remember(Buffer.from([0xf8, 0x88, 0x80, 0x80, 0x80]), ill, 'five bytes'),
  remember(Buffer.from('caf\xe9', 'latin1'), ill, 'Latin-1'),
  remember(Buffer.from('\ufffd\xff', 'latin1'), ill, 'an invalid byte beside others'),
  remember('x'.repeat(65_537), 'text must be at most 65536 bytes', '65,537 letters'),
  remember('é'.repeat(32_769), 'text must be at most 65536 bytes', '32,769 letters of two bytes'),
  remember('😀'.repeat(16_385), 'text must be at most 65536 bytes', '16,385 emoji'),
  remember(' '.repeat(70_000), 'text must not be empty', '70,000 spaces'),
]

const recalled = (limit: string, error: string): Row =>
  post('/v1/recall', `{"query":"x","limit":${limit}}`, [400, error])

const between = 'limit must be an integer between 1 and 50'
const flagged = (caution: string, error: string): Row =>
  post('/v1/flag', `{"text":"x","caution":${caution}}`, [400, error])
const weighed = (id: string): Row =>
  post('/v1/evidence', `{"belief_id":${id},"kind":"supporting","strength":0.5}`, [
    400,
    'belief_id must be a positive integer',
  ])

export const numbers: readonly Row[] = [
  ...['0', '-1', '51', '1000000', '9007199254740993', '1e10', '-0'].map((limit) => recalled(limit, between)),
  ...['"5"', 'true', '[]', '{}', '1.5', '""', '1e-3', '[5]'].map((limit) =>
    recalled(limit, 'limit must be an integer'),
  ),
  ...['1e400', '-1e400'].map((limit) => recalled(limit, 'limit must be a finite number')),
  ...['1.01', '-0.01', '2', '-1', '1e300', '1.0000000000000002'].map((caution) =>
    flagged(caution, 'caution must be between 0 and 1'),
  ),
  ...['"0.5"', 'false', '[]', '"NaN"'].map((caution) => flagged(caution, 'caution must be a number')),
  flagged('1e999', 'caution must be a finite number'),
  ...['0', '-1', '1.5', '"1"', 'true', '9007199254740992', '1e400', '[]', '""'].map(weighed),
]
