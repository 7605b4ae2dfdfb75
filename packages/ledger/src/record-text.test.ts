import { testSettlement } from '@sluice/testkit/ledger-operations'
import { expect, it } from 'vitest'
import { decodeRecord, encodeRecord } from './record-text.ts'

const PAYER = { userId: 1, tokenId: 2, account: 3, limitAccount: 4 }

it('comes back as it was, with its largest numbers and whatever its texts hold', () => {
  const settlement = testSettlement(PAYER, 'a', 3)
  const { price, tokens, log, trace } = settlement
  const largest = testSettlement(PAYER, 'b', 2 ** 40, {
    price: { ...price, rates: { ...price.rates, output: 2n ** 63n - 1n } },
  })
  const spoken = testSettlement(PAYER, 'c', 3, {
    tokens: { ...tokens, units: { audio_input: 7 } },
    price: { ...price, rates: { ...price.rates, units: { audio_input: 2n ** 63n - 1n } } },
  })
  const odd = {
    ...settlement,
    log: { ...log, tokenName: '"\\\n\0\u{1f6b0}', unlogged: true },
    trace: { ...trace, routing: '{"a":["b"]}' },
  }
  for (const each of [settlement, largest, spoken, odd]) expect(decodeRecord(encodeRecord(each))).toEqual(each)
})

it('of another version is not read', () => {
  const text = encodeRecord(testSettlement(PAYER, 'a', 3))
  expect(decodeRecord(text.replace('[2,', '[3,'))).toBeUndefined()
})

it('of the version before sessions is read: a crash before an upgrade loses no charge', () => {
  const settlement = testSettlement(PAYER, 'a', 3)
  const [, ...values] = JSON.parse(encodeRecord(settlement)) as readonly unknown[]
  const before = [...values.slice(0, -18), ...values.slice(-16)]
  expect(decodeRecord(JSON.stringify([1, ...before]))).toEqual(settlement)
})
