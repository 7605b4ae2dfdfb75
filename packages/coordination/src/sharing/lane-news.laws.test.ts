import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type LaneNews, readNews, writeNews } from './lane-news.ts'

const news = fc.record<LaneNews>({
  replica: fc.string(),
  number: fc.nat(),
  channel: fc.nat(),
  key: fc.string(),
  model: fc.string(),
  cause: fc.constantFrom('', 'limited', 'account', 'unknown_model', 'failing'),
  leftMs: fc.nat(),
})

describe('news of lanes', () => {
  test('are read as they were written', () => {
    fc.assert(
      fc.property(news, (news) => {
        expect(readNews(writeNews(news))).toEqual(news)
      }),
    )
  })

  test('that none of our replicas wrote are ignored, and do no harm', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(fc.jsonValue(), { maxLength: 9 }).map((list) => JSON.stringify(list)),
    )
    fc.assert(
      fc.property(anything, (text) => {
        const read = readNews(text)
        if (read !== undefined) expect(readNews(writeNews(read))).toEqual(read)
      }),
    )
  })

  test('with one part of the wrong type are ignored', () => {
    const wrong = fc.constantFrom<unknown>(null, undefined, -1, 0.5, Number.NaN, {}, [], true, 'failed')
    fc.assert(
      fc.property(news, fc.nat(6), wrong, (news, at, part) => {
        const parts: unknown[] = JSON.parse(writeNews(news))
        if (typeof part === typeof parts[at] && part !== 'failed') fc.pre(part === -1 || part === 0.5)
        if (part === 'failed') fc.pre(typeof parts[at] !== 'string' || at === 5)
        expect(readNews(JSON.stringify(parts.with(at, part)))).toBeUndefined()
      }),
    )
  })
})
