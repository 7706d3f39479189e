import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { units } from '../../src/core/quantities/words.ts'
import { stem } from '../../src/core/stem.ts'
import {
  isStopTerm,
  splitWords,
  stopStems,
  stopWords,
  toIdentifiers,
  toPlainTerms,
  toQueryTerms,
  toTerms,
} from '../../src/core/words.ts'

describe('terms', () => {
  test('ASCII text has the terms that the same text has in any script', () => {
    const words = fc.stringMatching(/^[eEaAxZ19_ .:/'-]{0,40}$/)
    fc.assert(
      fc.property(words, (text) => {
        const accented = text.replaceAll('e', 'é').replaceAll('E', 'É')
        expect(toTerms(accented)).toEqual(toTerms(text))
        expect(toIdentifiers(accented)).toEqual(toIdentifiers(text))
      }),
      { numRuns: 500 },
    )
  })

  test('the stem of every stop word is a stop term, and no other word was written among them', () => {
    const stems = [...stopWords].map(stem)
    expect(stems.filter((word) => !isStopTerm(word))).toEqual([])
    expect([...stopStems].filter((word) => !stems.includes(word))).toEqual([])
  })

  test('words meet in any case, accent and inflection', () => {
    expect(toTerms('Naïve DEPLOYS')).toEqual(toTerms('naive deployed'))
  })

  test('an apostrophe does not part a word', () => {
    expect(toTerms("don’t don't")).toEqual(['dont', 'dont'])
  })

  test.each([
    ['v1.8.3'],
    ['ECONNRESET'],
    ['user_id_fk'],
    ['src/store/open.ts'],
    ['open.ts'],
    ['http://localhost:4747/v1'],
    ['C:\\Users\\marta'],
    ['re-ranking'],
    ['camelCaseName'],
    ['a1b2c3d'],
  ])('%s is found whole inside a sentence', (identifier) => {
    const terms = new Set(toTerms(`We saw ${identifier}, and then (${identifier}).`))
    for (const term of toQueryTerms(identifier)) expect(terms).toContain(term)
    expect(terms).toContain(toTerms(identifier).at(-1))
  })

  test.each(['a/B', 'a.b/c_D', 'x\\\\y', 'p=1&q=/2'])(
    'a text that is one long path of %s has terms in proportion to its length',
    (step) => {
      const text = step.repeat(Math.floor(65_000 / step.length))
      expect(toTerms(text).join(' ').length).toBeLessThan(4 * text.length)
    },
  )

  test('a file is found by its name alone', () => {
    expect(toTerms('broken in src/store/open.ts')).toContain('open.ts')
  })

  test.each([
    ['東京都に住んでいます', '東京'],
    ['東京都に住んでいます', '住ん'],
    ['我们昨天部署了新版本', '部署'],
    ['데이터베이스를 백업했다', '백업'],
    ['黒猫が好き', '猫'],
  ])('in %s the part %s is found', (text, part) => {
    const terms = new Set(toTerms(text))
    for (const term of toQueryTerms(part)) expect(terms).toContain(term)
  })

  test('parts of camel case are words of their own', () => {
    expect(toTerms('parseHTTPResponse')).toEqual(
      expect.arrayContaining(['pars', 'http', 'respons', 'parsehttpresponse']),
    )
  })

  test('no term holds a space, a quote or a control character, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const term of toTerms(text)) {
          expect(term).not.toMatch(/[\s"\u0000-\u001f]/)
          expect(term).not.toBe('')
          expect(term.length).toBeLessThanOrEqual(96)
        }
      }),
    )
  })

  test('what is written alike is found alike', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 12 }), fc.lorem({ maxCount: 3 }), (text, query) => {
        const terms = new Set(toTerms(`${text} ${query}`))
        for (const term of toQueryTerms(query)) expect(terms).toContain(term)
      }),
    )
  })
})

describe('plain terms', () => {
  test('have each word once and an identifier in one spelling', () => {
    expect(toPlainTerms('push --force v1.8 to src/cli/frame.ts, push')).toEqual([
      'push',
      'forc',
      'v1',
      '8',
      'v1.8',
      'to',
      'src',
      'cli',
      'frame',
      'ts',
      'src/cli/frame.ts',
    ])
  })

  test('are terms of the text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[eéAx19v_ .:/#?=@\\京ログ-]{0,40}$/), (text) => {
        const terms = toTerms(text)
        for (const term of toPlainTerms(text)) expect(terms).toContain(term)
      }),
      { numRuns: 500 },
    )
  })
})

describe('query terms', () => {
  test('stop words are left out', () => {
    expect(toQueryTerms('what is the migration lock')).toEqual(toTerms('migration lock'))
  })

  test('stop words stay when nothing else is asked', () => {
    expect(toQueryTerms('to be or not to be')).toEqual(['to', 'be', 'or', 'not'])
    expect(isStopTerm('not')).toBe(true)
  })

  test('each term is asked once', () => {
    expect(toQueryTerms('lock locks locked')).toEqual(['lock'])
  })

  test('punctuation and emoji alone ask for nothing', () => {
    expect(toQueryTerms('"*" -- () 🎉')).toEqual([])
  })
})

describe('words as written', () => {
  test('ASCII is parted where Unicode parts it', () => {
    for (let point = 0; point < 128; point += 1) {
      const text = `a${String.fromCharCode(point)}b`
      // With a letter beyond ASCII the classes of Unicode apply.
      expect(splitWords(text), `U+${point.toString(16)}`).toEqual(
        splitWords(`${text}é`).map((word) => word.replace('é', '')),
      )
    }
  })
})

describe('identifiers', () => {
  test('are no amounts and no times of day', () => {
    const amounts = 'is €300, 250 kg, 404 ms, 120 % or 500 euros much at 19:30?'
    expect(toIdentifiers(amounts)).toEqual([])
    expect(toIdentifiers('why does 404 come for order 8311')).toEqual(['404', '8311'])
  })

  test('a number before any unit is an amount, a lone letter aside', () => {
    const names = [...units.keys()].filter((name) => !/^[a-z]$/.test(name))
    expect(names.filter((name) => toIdentifiers(`are 404 ${name} much`).includes('404'))).toEqual([])
  })

  test.each([
    ['why did v1.8.3 fail', ['v1.8.3', '1.8.3']],
    ['ECONNRESET again', ['econnreset']],
    ['the user_id_fk constraint', ['user_id_fk']],
    ['see src/store/open.ts', ['src/store/open.ts', 'open.ts']],
    ['see C:\\logs\\old.txt', ['c:/logs/old.txt', 'old.txt']],
    ['https://example.com/list?page=2', ['https://example.com/list~page~2']],
    ['error E1234', ['e1234']],
    ['error 1045', ['1045']],
    ['fixed in #3501', ['3501', '#3501']],
    ['ends on 2026-01-31', ['2026-01-31']],
    ['what happened in 2023', []],
    ['two or 3 of 10', []],
    ['git push --no-verify', ['--no-verify', 'no-verify']],
    ['commit --amend -m', ['--amend', '-m']],
    ['is it in .env', ['.env']],
    ['C# or C++ 11', ['c#', 'c++']],
    ['the load-balancer-config branch', ['load-balancer-config']],
    ['our day-to-day, well-known work', []],
    ['he and/or she, e.g. at 9 p.m. - or not', []],
    ['昨天 部署', ['昨天', '部署']],
    ['日志里的ERR_TIMEOUT', ['日志', '志里', '里的', 'err_timeout', '日志里的err_timeout']],
    ['我们昨天部署了新版本', []],
    ['Deploy on Friday', []],
    ['AWS is down', []],
  ])('of "%s"', (query, expected) => {
    expect(toIdentifiers(query)).toEqual(expected)
  })

  test('every identifier is one of the terms of the text that holds it', () => {
    const part = fc.constantFrom('v1.8', 'E', 'user', 'getById', '42', '2026', 'MAX', 'é', '京都', 'ログ')
    const joint = fc.constantFrom('.', '/', '\\', '_', '-', '--', '#', '::', '://', '@', '?a=', '&b=', '')
    const name = fc
      .array(fc.tuple(joint, part), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.flat().join(''))
    fc.assert(
      fc.property(name, (query) => {
        const terms = toTerms(`x ${query} y`)
        for (const identifier of toIdentifiers(query)) expect(terms).toContain(identifier)
      }),
    )
  })

  test.each([
    ['pinned v1.8.3', '1.8.3'],
    ['pinned 1.8.3', 'v1.8.3'],
    ['installed driver@2.4.1', '2.4.1'],
    ['升级到v3.1.4后失败', 'v3.1.4'],
    ['see src/store/open.ts', 'store/open.ts'],
    ['see src/store/open.ts', 'src/store'],
    ['open.ts is slow', 'src/store/open.ts'],
    ['listens on 10.1.2.3:5432', '10.1.2.3'],
    ['POST https://api.brain.test/v1/recall?limit=3', 'api.brain.test'],
    ['see src\\store\\open.ts', 'src/store/open.ts'],
    ['closed with #3501', 'issue 3501'],
  ])('what "%s" holds is named by %s', (text, query) => {
    const terms = new Set(toTerms(text))
    expect(toIdentifiers(query).some((identifier) => terms.has(identifier))).toBe(true)
  })

  test.each([
    ['--queue', 'a queue of queues'],
    ['.env', 'the env of the shell'],
    ['C++', 'vitamin C'],
    ['#77', '#777 and 77 people'],
    ['ログ', 'ロクな話'],
    ['v1.8.3', 'v1.8.2, v1.8, 1.8.30 and v11.8.3'],
    ['10.1.2.3', '10.1.2.30 and 110.1.2.3'],
  ])('%s is not in "%s"', (query, text) => {
    const terms = new Set(toTerms(text))
    for (const identifier of toIdentifiers(query)) expect(terms).not.toContain(identifier)
  })
})

describe('a text that grows when it is put into normal form', () => {
  test('is worked on no longer than any other of its length', () => {
    // One character of three bytes that stands for eighteen, as many as a memory may hold.
    const terms = toTerms('\ufdfa'.repeat(21_845))
    expect(terms.join('').length).toBeLessThan(2 * 81_920)
    expect(terms).toContain(toTerms('\ufdfa')[0])
  })
})
