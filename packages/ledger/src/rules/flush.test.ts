import { testHold, testSettle } from '@sluice/testkit/ledger-operations'
import { expect, it } from 'vitest'
import { mustFlush } from './apply-operation.ts'

const payer = { userId: 1, tokenId: 1, account: 2, limitAccount: 3 }
const soon = { ...testHold(payer, 'a', 1), durable: false }

it('flushes every batch except one of holds that no one acts on before the next flush', () => {
  expect(mustFlush([soon, { ...soon, requestId: 'b' }])).toBe(false)
  expect(mustFlush([soon, testHold(payer, 'b', 1)])).toBe(true)
  expect(mustFlush([soon, testSettle(payer, 'b', 1)])).toBe(true)
  expect(mustFlush([{ op: 'void', requestId: 'a' }])).toBe(true)
  expect(mustFlush([{ op: 'recover' }])).toBe(true)
})
