import { mq } from '@sluice/ledger/units'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { costComment, costText, wantsCost } from './cost-note.ts'

test.each([
  [1n, 500_000, '{"usd":"0.000000002","quota":"0.001"}'],
  [2_100n, 500_000, '{"usd":"0.0000042","quota":"2.1"}'],
  [0n, 500_000, '{"usd":"0","quota":"0"}'],
  [1_000n, 3, '{"usd":"0.333333333333333","quota":"1"}'],
  [1_000n, 0.5, '{"usd":"2","quota":"1"}'],
])('%s mq at %s quota to the dollar are %s', (amount, rate, text) => {
  expect(costText(mq(amount), rate)).toBe(text)
})

test('at the default rate both texts are exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 62n }), (amount) => {
      const { usd, quota } = JSON.parse(costText(mq(amount), 500_000)) as { usd: string; quota: string }
      const digits = (text: string, places: number) => {
        const [whole = '', fraction = ''] = text.split('.')
        return BigInt(whole + fraction.padEnd(places, '0'))
      }
      expect(digits(quota, 3)).toBe(amount)
      expect(digits(usd, 9)).toBe(2n * amount)
    }),
  )
})

test('only the value 1 asks for it, and only a stream of events has a place for a comment', () => {
  const asked = ['1', '0', 'true', '', undefined].map((value) => wantsCost({ 'x-sluice-cost': value }))
  expect(asked).toEqual([true, false, false, false, false])
  expect(Buffer.from(costComment('{}', 'text/event-stream; charset=utf-8') ?? []).toString()).toBe(
    ': sluice-cost {}\n\n',
  )
  expect(costComment('{}', 'application/json; charset=utf-8')).toBeUndefined()
  expect(costComment(undefined, 'text/event-stream')).toBeUndefined()
})
