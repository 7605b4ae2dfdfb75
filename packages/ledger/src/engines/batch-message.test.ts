import { PLAIN_SETTLED_LOG } from '@sluice/contract/fields/log'
import { testHold, testMove, testSettle, testSettlement, testTrace } from '@sluice/testkit/ledger-operations'
import { expect, it } from 'vitest'
import type { BatchResult } from '../engine.ts'
import type { Operation } from '../operation.ts'
import { mq } from '../units.ts'
import { decodeBatch, decodeResult, encodeBatch, encodeResult } from './batch-message.ts'

const payer = { userId: 4, tokenId: 5, account: 6, limitAccount: 7 }
const price = {
  rates: { input: 1n, cachedInput: 2n, cacheWrite5m: 3n, cacheWrite1h: 4n, output: 5n },
  groupRatio: 2n ** 62n,
  source: 'channel:9',
}
const tokens = { input: 1, cachedInput: 2, cacheWrite5m: 3, cacheWrite1h: 4, output: 5, reasoning: 6 }
/** No value equals its neighbour's, so swapped positions are noticed. */
const log = {
  ...PLAIN_SETTLED_LOG,
  createdAt: 1,
  username: 'user',
  tokenName: 'token',
  channelName: 'channel',
  originModel: 'asked',
  elapsedMs: 2,
  isStream: true,
  estimated: false,
  ended: 'complete',
  content: 'content',
  unlogged: true,
  session: 'session',
  client: 'client',
}
const trace = { ...testTrace(payer, 'traced'), upstreamUsage: 'usage', routing: 'routing' }

it('brings every operation to the other thread as it was', () => {
  const batch: Operation[] = [
    testHold(payer, 'held', 10),
    testSettle(payer, 'settled', 20),
    {
      op: 'settle',
      settlement: { ...testSettlement(payer, 'priced', 30, { price, tokens }), channelId: 8, log, trace },
    },
    { op: 'void', requestId: 'void' },
    { op: 'void', requestId: 'void with its trace', trace: testTrace(payer, 'void with its trace') },
    { op: 'extend', requestId: 'extended', amount: mq(5n), at: 1 },
    { op: 'renew', requestId: 'renewed', progress: testSettlement(payer, 'renewed', 7), at: 2 },
    testMove({ requestId: 'moved', kind: 'gift', account: 6, amount: mq(8n) }),
    { op: 'account', id: { kind: 'user', owner: 3 }, unlimited: true },
  ]
  expect(decodeBatch(structuredClone(encodeBatch(batch)))).toEqual(batch)
})

it('brings every outcome and balance back', () => {
  const result: BatchResult = {
    outcomes: [
      { outcome: 'done' },
      { outcome: 'refused', reason: 'user_quota' },
      { outcome: 'account', account: 12 },
      { outcome: 'done' },
      { outcome: 'invalid', rule: 'a rule' },
    ],
    balances: [
      { account: 1, available: mq(-5n), unlimited: false },
      { account: 2, available: mq(2n ** 62n), unlimited: true },
      { account: 3, available: mq(7n), unlimited: false, budgetLeft: mq(4n), budgetsSince: 86_400_000 },
    ],
  }
  expect(decodeResult(structuredClone(encodeResult(result)))).toEqual(result)
})
