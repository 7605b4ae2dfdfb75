import { testSettlement } from '@sluice/testkit/ledger-operations'
import { describe, expect, it } from 'vitest'
import type { Settlement } from './operation.ts'
import { decodeProgress, encodeProgress } from './progress.ts'

const PAYER = { userId: 1, tokenId: 2, account: 3, limitAccount: 4 }

describe('recorded progress', () => {
  it('comes back as it was, the largest amounts included', () => {
    const settlement = testSettlement(PAYER, 'a', 3)
    const largest = testSettlement(PAYER, 'b', 2 ** 40, {
      price: { ...settlement.price, rates: { ...settlement.price.rates, output: 2n ** 63n - 1n } },
    })
    const spoken = testSettlement(PAYER, 'c', 3, {
      tokens: { ...settlement.tokens, units: { audio_input: 7 } },
      price: { ...settlement.price, rates: { ...settlement.price.rates, units: { audio_input: 2n ** 63n - 1n } } },
    })
    for (const each of [settlement, largest, spoken]) expect(decodeProgress(encodeProgress(each))).toEqual(each)
  })

  it('of the release before sessions is read', () => {
    const settlement = testSettlement(PAYER, 'a', 3)
    const stored = JSON.parse(encodeProgress(settlement)) as { readonly log: Settlement['log'] }
    const { session: _, client: __, ...log } = stored.log
    const text = JSON.stringify({ ...stored, log })
    expect(text).not.toContain('session')
    expect(decodeProgress(text)).toEqual(settlement)
  })

  it('of another version is not read', () => {
    expect(decodeProgress(encodeProgress(testSettlement(PAYER, 'a', 3)).replace('"v":2', '"v":1'))).toBeUndefined()
  })
})
