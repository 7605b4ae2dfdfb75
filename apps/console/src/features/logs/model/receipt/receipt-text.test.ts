import type { Receipt } from '@sluice/contract/receipt'
import { describe, expect, it } from 'vitest'
import { en } from '~/features/logs/texts/receipt-texts.ts'
import { zhCN } from '~/features/logs/texts/receipt-zh-cn.ts'
import {
  priceNotes,
  readableUsage,
  endingText,
  movementName,
  receiptText,
  compareExact,
  formatExact,
} from './receipt-text.ts'

const SOURCE = {
  kind: 'book',
  name: '2026-11-20',
  channel: 0,
  tier: 'input>=272001,output>=9',
  window: 'night',
} as const
const RECEIPT: Receipt = {
  log_id: 1,
  request_id: 'ab'.repeat(16),
  created_at: new Date(2026, 10, 20, 14, 5, 9).getTime() / 1_000,
  username: 'ann',
  token_name: 'ci',
  group: '',
  model_name: 'gpt-5',
  origin_model_name: 'gpt-5',
  movements: [
    {
      kind: 'consume',
      at: new Date(2026, 10, 20, 14, 5, 9).getTime(),
      amount: '1234.568',
      calculation: {
        lines: [{ class: 'input', count: 1_000, rate: '1.2345678', amount: '1234.5678' }],
        list: '1234.5678',
        group_ratio: '1',
        exact: '1234.5678',
        total: '1234.568',
        price_id: 3,
        source: SOURCE,
      },
      reason: '',
      actor_name: '',
    },
    {
      kind: 'admin-refund',
      at: new Date(2026, 10, 21, 8, 0, 0).getTime(),
      amount: '-0.568',
      reason: 'rounded in your favour',
      actor_name: 'root',
    },
  ],
  net: '1234',
  fault: '',
  held: '2000',
  ended: 'upstream_broken',
  usage: { estimated: true, reasoning_tokens: 0, upstream: '{"a":1' },
  missing: ['log'],
}

describe('a receipt as text', () => {
  it('has every number of the panel', () => {
    expect(receiptText(RECEIPT, en)).toBe(
      [
        'Receipt · 2026-11-20 14:05:09 · gpt-5',
        `Request ID: ${'ab'.repeat(16)}`,
        'The log row was cleared or never written.',
        '',
        'Input tokens: 1,000 × 1.2345678 = 1,234.5678',
        'List price: 1,234.5678',
        'Group ratio: 1,234.5678 × 1 = 1,234.5678',
        'Rounded up to 0.001: 1,234.568',
        'Price: Price book 2026-11-20 · Tier: from 272,001 input tokens, from 9 output tokens · Time window: night · price ID 3',
        '',
        'Charged: 1,234.568 (2026-11-20 14:05:09)',
        'Refunded: -0.568 (2026-11-21 08:00:00 · by root · rounded in your favour)',
        'Net paid: 1,234 points',
        '',
        'Held: 2,000 points, released at settlement',
        'Usage: Counted here, because the provider reported none',
        'Ended: The provider interrupted its answer; the delivered part is charged',
        'The provider’s usage object: {"a":1',
      ].join('\n'),
    )
  })

  it('names both settlements where a later one corrected the first', () => {
    const [charge] = RECEIPT.movements
    const corrected = { ...RECEIPT, movements: charge === undefined ? [] : [charge, { ...charge, kind: 'adjust' }] }
    expect(receiptText(corrected, en)).toMatch(/First settlement\n[^]*Later settlement\n[^]*Charged later: /)
  })

  it('starts with what does not add up', () => {
    expect(receiptText({ ...RECEIPT, fault: 'amount' }, zhCN).split('\n')[2]).toBe('此收据有误。金额与数量和价格不符。')
  })
})

describe('the words of a receipt', () => {
  it('say how an answer ended, even when a setting waived the charge', () => {
    expect(endingText('complete', en)).toBe('The answer was complete')
    expect(endingText('empty_void', en)).toMatch(/empty.*, but according to the settings it is not charged$/)
    expect(endingText('something_new', en)).toBe('something_new')
    expect(endingText('toString', en)).toBe('toString')
  })

  it('leave unknown values as they are', () => {
    expect(movementName('constructor', en)).toBe('constructor')
    expect(priceNotes({ ...SOURCE, tier: 'moon>=x', window: '' }, en)).toEqual(['Tier: moon>=x'])
    expect(readableUsage('{"a":1')).toBe('{"a":1')
    expect(readableUsage('{"a":1}')).toBe('{\n  "a": 1\n}')
  })
})

describe('exact amounts', () => {
  it('are shown digit for digit, however long they are', () => {
    expect(formatExact('0')).toBe('0')
    expect(formatExact('999')).toBe('999')
    expect(formatExact('1000.5')).toBe('1,000.5')
    expect(formatExact('-1234567.000000001')).toBe('-1,234,567.000000001')
    expect(formatExact('9007199254740993.001')).toBe('9,007,199,254,740,993.001')
  })

  it('are compared by value, not as text and not as numbers', () => {
    expect(compareExact('9', '10')).toBe(-1)
    expect(compareExact('10.5', '10.50')).toBe(0)
    expect(compareExact('9007199254740993', '9007199254740992.999')).toBe(1)
    expect(compareExact('0', '0.001')).toBe(-1)
  })
})
