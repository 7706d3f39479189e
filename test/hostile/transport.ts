/** Bad requests below JSON: lines, headers, lengths, methods, paths. */
import { request } from '../http/daemon.ts'
import { ask, honest, keyPlaceholder, post, type Row, raw } from './requests.ts'

const malformed = [400, 'malformed HTTP request'] as const
const notJson = [415, 'content type must be application/json'] as const
const noKey = [401, 'invalid or missing API key'] as const
const badHost = [403, 'host not allowed'] as const
const badOrigin = [403, 'origin not allowed'] as const
const body = '{"text":"x"}'

export const lines: readonly Row[] = [
  raw('words', 'hello there\r\n\r\n', malformed),
  raw('a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', malformed),
  raw('an SSH greeting', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', malformed),
  raw('an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', malformed),
  raw('NUL bytes', '\0\0\0\0\r\n\r\n', malformed),
  raw('no method', '/health HTTP/1.1\r\n\r\n', malformed),
  raw('a method in small letters', 'get /health HTTP/1.1\r\n\r\n', malformed),
  raw('an invented method', 'FETCH /health HTTP/1.1\r\n\r\n', malformed),
  raw('no target', 'GET HTTP/1.1\r\n\r\n', malformed),
  raw('an unknown version', 'GET /health HTTP/7.3\r\n\r\n', malformed),
  raw('a version of letters', 'GET /health HTTP/x.y\r\n\r\n', malformed),
  raw('another protocol', 'GET /health MQTT/1.0\r\n\r\n', malformed),
  raw('a target with a space', 'GET /hea lth HTTP/1.1\r\nHost: localhost\r\n\r\n', malformed),
  raw('a target with a NUL', 'GET /hea\0lth HTTP/1.1\r\nHost: localhost\r\n\r\n', malformed),
  raw('CONNECT', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', [
    405,
    'CONNECT is not allowed here',
  ]),
  raw('no Host', 'GET /health HTTP/1.1\r\n\r\n', [400, 'host is required']),
  raw('HTTP/1.0 without Host', 'GET /health HTTP/1.0\r\n\r\n', [400, 'host is required']),
]

export const headers: readonly Row[] = [
  raw('a header without a colon', 'GET /health HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n', malformed),
  raw('a header name with a space', 'GET /health HTTP/1.1\r\nHost : localhost\r\n\r\n', malformed),
  raw('an empty header name', 'GET /health HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n', malformed),
  raw('a header with a NUL', 'GET /health HTTP/1.1\r\nHost: localhost\r\na: b\0c\r\n\r\n', malformed),
  raw('a bare carriage return', 'GET /health HTTP/1.1\r\nHost: localhost\r\na: b\rc: d\r\n\r\n', malformed),
  raw('a header of 17 KiB', request('GET /health', ['Host: localhost', `a: ${'x'.repeat(17_000)}`]), [
    431,
    'headers must be at most 16384 bytes',
  ]),
  raw('too many headers', request('GET /health', ['Host: localhost', ...Array(128).fill('a: b')]), [
    431,
    'headers must be at most 128',
  ]),
  raw('a target of 17 KiB', request(`GET /${'x'.repeat(17_000)}`, ['Host: localhost']), [
    431,
    'headers must be at most 16384 bytes',
  ]),
  raw('an unknown expectation', request('POST /v1/remember', [...honest, 'Expect: a-miracle']), [
    417,
    'expectation not supported',
  ]),
  raw('a foreign Host', request('GET /health', ['Host: evil.example']), badHost),
  raw('an empty Host', request('GET /health', ['Host:']), badHost),
  raw('two Hosts', request('GET /health', ['Host: localhost', 'Host: localhost']), badHost),
  raw('a Host that begins like ours', request('GET /health', ['Host: localhost.evil.example']), badHost),
  raw('a Host with a user', request('GET /health', ['Host: evil@localhost']), badHost),
  raw('a Host with a path', request('GET /health', ['Host: localhost/evil']), badHost),
  raw('a Host of percent signs', request('GET /health', ['Host: %6c%6f%63alhost']), badHost),
  raw('a Host with a trailing dot', request('GET /health', ['Host: localhost.']), badHost),
  raw('a decimal address', request('GET /health', ['Host: 2130706433']), badHost),
  raw('a short address', request('GET /health', ['Host: 127.1']), badHost),
  raw('a foreign absolute target', request('GET http://evil.example/health', ['Host: localhost']), badHost),
  raw('a foreign HTTPS target', request('GET https://evil.example/health', ['Host: localhost']), badHost),
  raw(
    'a foreign Origin',
    request('GET /health', ['Host: localhost', 'Origin: http://evil.example']),
    badOrigin,
  ),
  raw('the null Origin', request('GET /health', ['Host: localhost', 'Origin: null']), badOrigin),
  raw('an empty Origin', request('GET /health', ['Host: localhost', 'Origin:']), badOrigin),
  raw(
    'an Origin like ours',
    request('GET /health', ['Host: localhost', 'Origin: http://localhost']),
    badOrigin,
  ),
  raw(
    'a cross-site page',
    request('GET /health', ['Host: localhost', 'Sec-Fetch-Site: cross-site']),
    badOrigin,
  ),
  raw('no key', request('GET /v1/dreams', ['Host: localhost']), noKey),
  raw('an empty key', request('GET /v1/dreams', ['Host: localhost', 'x-svc-key:']), noKey),
  raw('a wrong key', request('GET /v1/dreams', ['Host: localhost', 'x-svc-key: brain_x']), noKey),
  raw(
    'a long key',
    request('GET /v1/dreams', ['Host: localhost', `x-svc-key: brain_${'x'.repeat(9_000)}`]),
    noKey,
  ),
  raw('a key of SQL', request('GET /v1/dreams', ['Host: localhost', "x-svc-key: ' OR 1=1 --"]), noKey),
  raw('a doubled key', request('GET /v1/dreams', [...honest, `X-SVC-KEY: ${keyPlaceholder}`]), noKey),
  raw(
    'two keys in one',
    request('GET /v1/dreams', ['Host: localhost', `x-svc-key: ${keyPlaceholder}, ${keyPlaceholder}`]),
    noKey,
  ),
  raw(
    'a bearer token',
    request('GET /v1/dreams', ['Host: localhost', `Authorization: Bearer ${keyPlaceholder}`]),
    noKey,
  ),
  raw(
    'a cookie',
    request('GET /v1/dreams', ['Host: localhost', `Cookie: x-svc-key=${keyPlaceholder}`]),
    noKey,
  ),
  ask(`GET /v1/dreams?x-svc-key=${keyPlaceholder}`, 400, 'unknown field: x-svc-key'),
  ask('GET /v1/dreams', 400, 'x-svc-agent must not be empty', ['x-svc-agent:']),
  ask('GET /v1/dreams', 400, 'x-svc-agent must be given once', ['x-svc-agent: a', 'x-svc-agent: a']),
  ask('GET /v1/dreams', 400, 'x-svc-agent must be at most 128 characters', [
    `x-svc-agent: ${'a'.repeat(129)}`,
  ]),
  ask('GET /v1/dreams', 400, 'x-svc-agent must not contain control characters', ['x-svc-agent: a\tb']),
  ask('GET /v1/dreams', 400, 'x-svc-agent must be well-formed Unicode', ['x-svc-agent: \xff']),
  ask('GET /v1/dreams', 400, 'x-svc-agent must be well-formed Unicode', ['x-svc-agent: \xed\xa0\x80']),
]

const typed = (type: readonly string[], expected: readonly [number, string] = notJson): Row =>
  post('/v1/remember', body, expected, { headers: type, what: type.join(', ') || 'no content type' })

export const types: readonly Row[] = [
  typed([]),
  typed(['Content-Type:']),
  typed(['Content-Type: text/plain']),
  typed(['Content-Type: text/json']),
  typed(['Content-Type: application/x-www-form-urlencoded']),
  typed(['Content-Type: multipart/form-data; boundary=x']),
  typed(['Content-Type: application/jsonp']),
  typed(['Content-Type: application/json+x']),
  typed(['Content-Type: application/problem+json']),
  typed(['Content-Type: application/json, text/plain']),
  typed(['Content-Type: application/json; charset=latin1']),
  typed(['Content-Type: application/json; charset=utf-16']),
  typed(['Content-Type: application/json; boundary=x; charset=utf-8-sig']),
  typed(['Content-Type: application/json', 'Content-Type: application/json']),
  typed(
    ['Content-Type: application/json', 'Content-Encoding: gzip'],
    [415, 'content encoding is not supported: send the body as it is'],
  ),
  typed(
    ['Content-Type: application/json', 'Content-Encoding: identity, br'],
    [415, 'content encoding is not supported: send the body as it is'],
  ),
]

const json = 'Content-Type: application/json'
const tooLarge = [413, 'body must be at most 1048576 bytes'] as const

const bodied = (
  what: string,
  more: readonly string[],
  sent: string,
  expected: readonly [number, string],
): Row => raw(what, request('POST /v1/remember', [...honest, json, ...more], sent), expected)

export const lengths: readonly Row[] = [
  bodied('a negative length', ['Content-Length: -1'], body, malformed),
  bodied('a length of letters', ['Content-Length: ten'], body, malformed),
  bodied('a length beyond counting', ['Content-Length: 99999999999999999999'], body, malformed),
  bodied('two lengths', ['Content-Length: 12', 'Content-Length: 13'], body, malformed),
  bodied('two equal lengths', ['Content-Length: 12', 'Content-Length: 12'], body, malformed),
  bodied('length and chunks', ['Content-Length: 12', 'Transfer-Encoding: chunked'], body, malformed),
  bodied('an unknown transfer encoding', ['Transfer-Encoding: gzip'], body, malformed),
  bodied('chunked, then not', ['Transfer-Encoding: chunked, identity'], body, malformed),
  bodied('a chunk of letters', ['Transfer-Encoding: chunked'], 'zz\r\nab\r\n0\r\n\r\n', malformed),
  bodied('a chunk without its end', ['Transfer-Encoding: chunked'], '2\r\nabcdef\r\n0\r\n\r\n', malformed),
  bodied('a negative chunk', ['Transfer-Encoding: chunked'], '-2\r\nab\r\n0\r\n\r\n', malformed),
  bodied('chunks of what was packed', ['Transfer-Encoding: gzip, chunked'], '2\r\n{}\r\n0\r\n\r\n', [
    415,
    'content encoding is not supported: send the body as it is',
  ]),
  bodied('a promise of 2 MiB', ['Content-Length: 2097152'], '{"text":"', tooLarge),
  bodied('a promise of a terabyte', ['Content-Length: 1099511627776'], '{"text":"', tooLarge),
  bodied('one byte too many', ['Content-Length: 1048577'], 'x'.repeat(1_048_577), tooLarge),
  bodied(
    'chunks of 1 MiB and a byte',
    ['Transfer-Encoding: chunked'],
    `100000\r\n${' '.repeat(0x10_0000)}\r\n1\r\n \r\n0\r\n\r\n`,
    tooLarge,
  ),
  raw('a body on a GET', request('GET /v1/dreams', [...honest, 'Content-Length: 2'], '{}'), [
    400,
    'a GET request must not have a body',
  ]),
  raw(
    'a chunked body on a GET',
    request('GET /v1/dreams', [...honest, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
    [400, 'a GET request must not have a body'],
  ),
  raw('a body for /health', request('GET /health', [...honest, 'Content-Length: 2'], '{}'), [
    400,
    'a GET request must not have a body',
  ]),
]

const posts = ['/v1/remember', '/v1/recall', '/v1/evidence', '/v1/resolve', '/mcp']
const gets = ['/health', '/v1/openapi.json', '/v1/dreams', '/v1/state', '/v1/evidence/1']

export const methods: readonly Row[] = [
  ...posts.flatMap((path) =>
    ['GET', 'PUT', 'DELETE', 'OPTIONS'].map((method) =>
      ask(`${method} ${path}`, 405, `${method} is not allowed here`),
    ),
  ),
  ...gets.flatMap((path) =>
    ['PUT', 'PATCH', 'OPTIONS'].map((method) =>
      ask(`${method} ${path}`, 405, `${method} is not allowed here`),
    ),
  ),
  ...[...posts, ...gets].map((path) => ask(`HEAD ${path}`, 405, null)),
  ask('TRACE /v1/dreams', 405, 'TRACE is not allowed here'),
  ask('POST /v1/dreams', 405, 'POST is not allowed here'),
  ask('PROPFIND /v1/dreams', 405, 'PROPFIND is not allowed here'),
]

const nowhere = (line: string): Row => ask(line, 404, `no such endpoint: ${line}`)

export const paths: readonly Row[] = [
  ...[
    'GET /v1',
    'GET /v1/',
    'GET /v2/state',
    'GET /v1/state/',
    'GET //v1/state',
    'GET /V1/state',
    'GET /v1/State',
    'GET /v1/../health',
    'GET /./health',
    'GET /v1/%73tate',
    'GET /v1/state%00',
    'GET /v1/state;x=1',
    'GET /health#x',
    'GET /v1\\state',
    'GET /../../etc/passwd',
    'GET /.brain/brain.db',
    'GET /favicon.ico',
    'GET /metrics',
    'GET /v1/memories',
    'GET /v1/evidence/1/2',
    'GET /v1/evidence/',
    'POST /mcp/',
    'OPTIONS *',
    'DELETE /v1/memories/1',
  ].map(nowhere),
  ask(`GET /${'x'.repeat(300)}`, 404, `no such endpoint: GET /${'x'.repeat(199)}…`),
  ask('GET /caf\xe9', 400, 'malformed HTTP request'),
]
