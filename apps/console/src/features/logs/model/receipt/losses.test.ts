import { describe, expect, it } from 'vitest'
import { rowText } from './losses.ts'

describe('the text of a row', () => {
  it('of a charge gives its price, then what was not sent to the provider', () => {
    expect(rowText('model ratio 1, completion ratio 2, group ratio 1; seed dropped, stop[4] dropped')).toEqual({
      text: 'model ratio 1, completion ratio 2, group ratio 1',
      isPrice: true,
      losses: ['seed dropped', 'stop[4] dropped'],
    })
    expect(rowText('model ratio 1, group ratio 1').losses).toEqual([])
  })

  it('of other rows is left as it is', () => {
    expect(rowText('User ann enabled; by root, today')).toEqual({
      text: 'User ann enabled; by root, today',
      isPrice: false,
      losses: [],
    })
  })
})
