import type { DisplayedModel, PriceList } from '@sluice/contract/price-list'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/setup/en.ts'
import { channelOptions, listedNames } from './channel-options.ts'
import { NO_CAPABILITIES } from './parameters.ts'

const model: DisplayedModel = {
  input_price: 1,
  output_price: 2,
  cache_write_5m_price: 0,
  cache_write_1h_price: 0,
  max_tokens: 0,
  image_price: 0,
  capabilities: NO_CAPABILITIES,
}
const group = (...models: string[]): PriceList[string] => ({
  channel_name: '',
  channel_type: 50,
  groups: [],
  models: Object.fromEntries(models.map((name) => [name, model])),
})

describe('channels to choose from', () => {
  it('are named by what follows the first colon of their key, and know their models', () => {
    const [pool, bare] = channelOptions({ 'OpenAI Compatible:eu: pool': group('gpt-5', 'o3'), lone: group() })
    expect(pool).toEqual({
      key: 'OpenAI Compatible:eu: pool',
      provider: 'OpenAI Compatible',
      label: 'eu: pool',
      models: new Set(['gpt-5', 'o3']),
    })
    expect(bare).toMatchObject({ label: 'lone', provider: '' })
  })

  it.each([
    [['a'], 2, 'a'],
    [['a', 'b'], 2, 'a, b'],
    [['a', 'b', 'c'], 2, 'a, b +1 more'],
    [['a', 'b', 'c', 'd', 'e'], 3, 'a, b, c +2 more'],
  ])('a list of %j with room for %d reads %j', (names, most, text) => {
    expect(listedNames(names, most, en.more)).toBe(text)
  })
})
