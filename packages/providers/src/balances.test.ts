import { describe, expect, test } from 'vitest'
import type { BalanceOutcome, BalanceStep } from './balance-source.ts'
import { BALANCE_STEPS_MAX, balanceStep, hasBalance } from './balances.ts'
import { KINDS } from './kinds/all.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

function look(code: number, replies: Readonly<Record<string, unknown>>, baseUrl = '') {
  const requested: BalanceStep[] = []
  let outcome: BalanceOutcome | object = balanceStep(code, { baseUrl, key: 'sk-x', now: NOW })
  while ('read' in outcome) {
    requested.push(outcome)
    const { pathname } = new URL(outcome.url)
    outcome = outcome.read(replies[pathname])
  }
  return { outcome, requested }
}

const SUBSCRIPTION = '/v1/dashboard/billing/subscription'
const USAGE = '/v1/dashboard/billing/usage'
const GRANTS = '/dashboard/billing/credit_grants'

describe('the balance of a channel', () => {
  test.each<[number, Readonly<Record<string, unknown>>, number, string]>([
    [1, { [SUBSCRIPTION]: { hard_limit_usd: 120 }, [USAGE]: { total_usage: 1_999.5 } }, 100_005_000, 'USD'],
    [
      50,
      { '/v1/dashboard/billing/subscription': { hard_limit_usd: 1 }, [USAGE]: { total_usage: 250 } },
      -1_500_000,
      'USD',
    ],
    [4, { [GRANTS]: { total_available: '4.5' } }, 4_500_000, 'USD'],
    [5, { '/sb-api/user/status': { data: { credit: '1234' } } }, 1_234_000_000, 'points'],
    [10, { '/api/report/getUserOverview': { success: true, data: { totalPoints: 7 } } }, 7_000_000, 'points'],
    [12, { [GRANTS]: { total_remaining: 0.1 } }, 100_000, 'USD'],
    [13, { [GRANTS]: { total_available: 3 } }, 3_000_000, 'USD'],
    [20, { '/api/v1/credits': { data: { total_credits: 10, total_usage: 12.25 } } }, -2_250_000, 'USD'],
    [
      36,
      {
        '/user/balance': {
          balance_infos: [
            { currency: 'USD', total_balance: '1' },
            { currency: 'CNY', total_balance: '110.00' },
          ],
        },
      },
      110_000_000,
      'CNY',
    ],
    [36, { '/user/balance': { balance_infos: [{ currency: 'USD', total_balance: '-0.5' }] } }, -500_000, 'USD'],
    [44, { '/v1/user/info': { data: { totalBalance: '88.00' } } }, 88_000_000, 'CNY'],
  ])('of type %i is read from what its vendor answers', (code, replies, micros, currency) => {
    const { outcome, requested } = look(code, replies, code === 50 ? 'https://llm.example.org/v1' : '')
    expect(outcome).toEqual({ micros, currency })
    expect(requested.length).toBeLessThanOrEqual(BALANCE_STEPS_MAX)
    for (const { url } of requested) expect(new URL(url).protocol).toBe('https:')
  })

  test('is requested at the channel’s own address, in any form', () => {
    for (const base of ['https://llm.example.org/v1', 'https://llm.example.org/v1/', 'https://llm.example.org']) {
      expect(balanceStep(50, { baseUrl: base, key: 'k', now: NOW })).toMatchObject({
        url: 'https://llm.example.org/v1/dashboard/billing/subscription',
        secretHeaders: { authorization: 'Bearer k' },
      })
    }
    expect(balanceStep(1, { baseUrl: 'http://v1', key: 'k', now: NOW })).toMatchObject({
      url: 'http://v1/v1/dashboard/billing/subscription',
    })
  })

  test('counts usage of this month, or of a hundred days when the account pays in advance', () => {
    const usageOf = (paysLater: boolean) =>
      look(1, { [SUBSCRIPTION]: { hard_limit_usd: 1, has_payment_method: paysLater } }).requested[1]?.url
    expect(usageOf(true)).toMatch(/start_date=2026-11-01&end_date=2026-11-21$/)
    expect(usageOf(false)).toMatch(/start_date=2026-08-12&end_date=2026-11-21$/)
  })

  test.each([undefined, null, [], {}, { hard_limit_usd: 'x' }, { hard_limit_usd: 1e300 }, { data: 5 }])(
    'is not guessed from %j',
    (reply) => {
      for (const { code } of KINDS) {
        const step = balanceStep(code, { baseUrl: 'https://llm.example.org', key: 'k', now: NOW })
        if ('read' in step) expect(step.read(reply)).toHaveProperty('unread')
      }
    },
  )

  test('cannot be requested where the vendor has no call for it', () => {
    expect(hasBalance(14)).toBe(false)
    expect(balanceStep(14, { baseUrl: '', key: 'k', now: NOW })).toEqual({
      field: 'type',
      rule: 'channels of type Anthropic do not report a balance',
    })
    expect(balanceStep(50, { baseUrl: '', key: 'k', now: NOW })).toMatchObject({ field: 'base_url' })
  })

  test('no key is in an address, except for the one vendor that accepts it nowhere else', { tags: 'S20' }, () => {
    for (const { code } of KINDS) {
      const step = balanceStep(code, { baseUrl: 'https://llm.example.org', key: 'canary', now: NOW })
      if ('url' in step && code !== 5) expect(step.url).not.toContain('canary')
    }
  })
})
