import { describe, expect, it } from 'vitest'
import { en } from '../texts/en.ts'
import { en as receipt } from '../texts/receipt-en.ts'
import { rowRemark } from './row-remark.ts'

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
