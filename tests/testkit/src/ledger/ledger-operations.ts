import { PLAIN_SETTLED_LOG } from '@sluice/contract/fields/log'
import type { LedgerEngine } from '@sluice/ledger/engine'
import type {
  HoldOperation,
  MoveOperation,
  Outcome,
  RedeemOperation,
  RefundOperation,
  Settlement,
  SettleOperation,
  TraceRow,
} from '@sluice/ledger/operation'
import { charge, type Price, type TokenCounts } from '@sluice/ledger/pricing'
import { type Mq, mq, mqFromQuota } from '@sluice/ledger/units'

export interface TestPayer {
  readonly userId: number
  readonly tokenId: number
  readonly account: number
  readonly limitAccount: number
}

/** 2.5 quota per input token, 10 per output token: $5 and $20 per million at the default rate. */
export const TEST_PRICE: Price = {
  rates: {
    input: 2_500_000_000n,
    cachedInput: 250_000_000n,
    cacheWrite5m: 3_125_000_000n,
    cacheWrite1h: 5_000_000_000n,
    output: 10_000_000_000n,
  },
  groupRatio: 1_000_000n,
  source: 'book:test',
}

/** Unix seconds of test charges by default: a Thursday noon. */
export const TEST_SECONDS = 1_763_640_000

/** Opens and funds both accounts; a token without `limit` is unlimited. */
export async function openTestPayer(
  engine: LedgerEngine,
  replica: string,
  given: { userId: number; tokenId: number; quota: number; limit?: number },
): Promise<TestPayer> {
  const { userId, tokenId, quota, limit } = given
  const { outcomes } = await engine.apply(
    [
      { op: 'account', id: { kind: 'user', owner: userId }, unlimited: false },
      { op: 'account', id: { kind: 'token', owner: tokenId }, unlimited: limit === undefined },
    ],
    replica,
  )
  const [account, limitAccount] = outcomes.map(accountIn)
  if (account === undefined || limitAccount === undefined) throw new Error('the accounts were not opened')
  await engine.apply(
    [
      testMove({ requestId: `gift-${userId}-${tokenId}`, kind: 'gift', account, amount: mqFromQuota(quota) }),
      testMove({
        requestId: `limit-${tokenId}`,
        kind: 'limit-set',
        account: limitAccount,
        amount: mqFromQuota(limit ?? 0),
        mode: 'set',
      }),
    ],
    replica,
  )
  return { userId, tokenId, account, limitAccount }
}

export function testHold(payer: TestPayer, requestId: string, quota: number, at = TEST_SECONDS * 1_000): HoldOperation {
  const { account, limitAccount } = payer
  return { op: 'hold', requestId, account, limitAccount, amount: mqFromQuota(quota), at, durable: true }
}

/** Charges `output` tokens (10 quota each) at `TEST_PRICE`, unless overridden. */
export function testSettlement(
  payer: TestPayer,
  requestId: string,
  output: number,
  overrides: Partial<Settlement> = {},
): Settlement {
  const tokens: TokenCounts = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output, reasoning: 0 }
  const price = overrides.price ?? TEST_PRICE
  return {
    requestId,
    ...payer,
    amount: charge(overrides.tokens ?? tokens, price),
    price,
    tokens,
    channelId: 1,
    model: 'gpt-4o-mini',
    log: {
      ...PLAIN_SETTLED_LOG,
      createdAt: TEST_SECONDS,
      username: `user ${payer.userId}`,
      tokenName: `token ${payer.tokenId}`,
      channelName: 'channel 1',
      originModel: 'gpt-4o-mini',
      elapsedMs: 800,
      ended: 'complete',
      unlogged: false,
    },
    trace: testTrace(payer, requestId),
    ...overrides,
  }
}

/** Every unit other than text costs 10 quota, as an output token does. */
export const TEST_UNIT_PRICE: Price = {
  ...TEST_PRICE,
  rates: { ...TEST_PRICE.rates, units: { audio_input: 10_000_000_000n, search: 10_000_000_000n } },
  source: 'book:test;tier:units',
}

/** Charges `count` units (10 quota each) of search and audio tokens, without text. */
export function testUnitSettlement(payer: TestPayer, requestId: string, count: number): Settlement {
  const units = count === 0 ? {} : { search: 1, audio_input: count - 1 }
  const tokens = { input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0, units }
  return testSettlement(payer, requestId, 0, { tokens, price: TEST_UNIT_PRICE })
}

/** Charges for `count` prompts that were mostly cached or written to a cache: 10 quota each in all. No answer. */
export function testCacheSettlement(payer: TestPayer, requestId: string, count: number): Settlement {
  const [cachedInput, cacheWrite1h] = [10 * count, count]
  const tokens = { input: count, cachedInput, cacheWrite5m: 0, cacheWrite1h, output: 0, reasoning: 0 }
  return testSettlement(payer, requestId, 0, { tokens })
}

export function testSettle(payer: TestPayer, requestId: string, output: number): SettleOperation {
  return { op: 'settle', settlement: testSettlement(payer, requestId, output) }
}

export function testTrace(payer: TestPayer, requestId: string): TraceRow {
  const received = TEST_SECONDS * 1_000
  return {
    requestId,
    userId: payer.userId,
    url: '/v1/chat/completions',
    method: 'POST',
    status: 200,
    bodySize: 1_500,
    received,
    forwarded: received + 1,
    firstUpstream: received + 200,
    firstClient: received + 201,
    upstreamCompleted: received + 799,
    completed: received + 800,
    attempts: '[]',
    held: mqFromQuota(1),
    upstreamUsage: '',
    routing: '',
  }
}

export function testMove(
  movement: Pick<MoveOperation, 'requestId' | 'kind' | 'account'> & Partial<MoveOperation> & { readonly amount: Mq },
): MoveOperation {
  return { op: 'move', mode: 'add', actor: 0, reason: '', at: TEST_SECONDS * 1_000, ...movement }
}

/** An unused code as the table stores it. */
export function testCode(id: number, quota: number) {
  return {
    id,
    name: `code ${id}`,
    key_hash: `hash ${id}`,
    key_sealed: 'sealed',
    status: 1,
    amount: mqFromQuota(quota),
    created_by: 1,
    created_time: TEST_SECONDS,
    redeemed_by: 0,
    redeemed_ms: 0,
    deleted_time: 0,
    used_before: 0,
  }
}

/** A code that was used at another gateway. */
export function testUsedCode(id: number, quota: number) {
  return { ...testCode(id, quota), status: 3, redeemed_by: 1, redeemed_ms: TEST_SECONDS * 1_000, used_before: 1 }
}

export function testRedeem(payer: TestPayer, redemption: number): RedeemOperation {
  const { account, userId } = payer
  const log = { type: 1, createdAt: TEST_SECONDS, userId, username: `user ${userId}`, content: 'redeemed' } as const
  return { op: 'redeem', redemption, account, actor: userId, at: TEST_SECONDS * 1_000, log }
}

export function testRefund(payer: TestPayer, requestId: string, refundId: string, quota?: number): RefundOperation {
  const { userId } = payer
  const log = { type: 4, createdAt: TEST_SECONDS, userId, username: `user ${userId}`, content: 'refunded' } as const
  const amount = quota === undefined ? 'rest' : mqFromQuota(quota)
  return { op: 'refund', refundId, requestId, amount, actor: 9, reason: 'broken', at: TEST_SECONDS * 1_000, log }
}

/** Quota available to new holds, as reported for a batch that moves nothing. */
export async function availableOf(engine: LedgerEngine, payer: TestPayer): Promise<{ user: Mq; limit: Mq }> {
  const { balances } = await engine.apply(
    [
      testMove({ requestId: 'probe', kind: 'gift', account: payer.account, amount: mq(0n) }),
      testMove({ requestId: 'probe', kind: 'limit-set', account: payer.limitAccount, amount: mq(0n) }),
    ],
    'probe',
  )
  const find = (id: number): Mq => balances.find(({ account }) => account === id)?.available ?? mq(0n)
  return { user: find(payer.account), limit: find(payer.limitAccount) }
}

function accountIn(outcome: Outcome): number | undefined {
  return outcome.outcome === 'account' ? outcome.account : undefined
}
