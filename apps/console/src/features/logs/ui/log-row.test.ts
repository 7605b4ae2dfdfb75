import { describe, expect, it } from 'vitest'
import { formatLatency, latencyBand } from '~/lib/format/units.ts'
import { en, logTexts } from '../texts/log-texts.ts'
import { en as receipt } from '../texts/receipt-texts.ts'
import { rowRemark, LATENCY_TONES } from './log-row.tsx'

it(
  'latencies read in milliseconds below a second, then in seconds, and are green, yellow or red with a word that says the same',
  { tags: ['B2.27', 'B9.4'] },
  () => {
    const shown = [0, 999, 1_000, 2_999, 3_000, 12_340].map((milliseconds) => {
      const band = latencyBand(milliseconds)
      return `${formatLatency(milliseconds)} ${LATENCY_TONES[band]} ${logTexts.en.bands[band]}`
    })
    expect(shown).toEqual([
      '0 ms good Fast',
      '999 ms good Fast',
      '1.00 s warn Fair',
      '3.00 s warn Fair',
      '3.00 s bad Slow',
      '12.34 s bad Slow',
    ])
  },
)

const t = { ...receipt, countedHere: en.countedHere }
const PRICE = 'model ratio 1, completion ratio 2, group ratio 1'

describe('the remark on a row', () => {
  it.each([
    ['nothing on an ordinary charge', PRICE, { ended: 'complete', usage_estimated: false }, ''],
    ['nothing where little is known', '', {}, ''],
    [
      'what was lost',
      `${PRICE}; seed dropped, stop[4] dropped`,
      { ended: 'complete' },
      'seed dropped · stop[4] dropped',
    ],
    ['the rule that charged a broken answer', PRICE, { ended: 'upstream_broken' }, receipt.endings.upstream_broken],
    ['tokens that were counted here', PRICE, { usage_estimated: true }, 'Tokens counted here'],
    ['other rows in their own words', 'User ann enabled; by root', {}, 'User ann enabled; by root'],
    [
      'all of it',
      `${PRICE}; seed dropped`,
      { ended: 'client_gone', usage_estimated: true },
      `${receipt.endings.client_gone} · seed dropped · Tokens counted here`,
    ],
  ])('is %s', (_, content, metadata, remark) => {
    expect(rowRemark({ content, metadata }, t)).toBe(remark)
  })
})
