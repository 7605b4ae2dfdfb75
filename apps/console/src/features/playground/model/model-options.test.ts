import type { DisplayedModel, PriceList, Capabilities } from '@sluice/contract/price-list'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/setup-texts.ts'
import {
  channelOptions,
  answerLimitIn,
  capabilitiesIn,
  modelInForce,
  modelOptions,
  modelsOfChannel,
  listedNames,
} from './model-options.ts'
import { capabilitiesWhere, NO_CAPABILITIES } from './parameters.ts'

const taking = (...names: (keyof Capabilities)[]): DisplayedModel => ({
  input_price: 1,
  output_price: 2,
  cache_write_5m_price: 0,
  cache_write_1h_price: 0,
  max_tokens: 0,
  image_price: 0,
  capabilities: capabilitiesWhere((name) => names.includes(name)),
})
const channel = (models: PriceList[string]['models']) => ({ channel_name: '', channel_type: 50, groups: [], models })
const LIST: PriceList = {
  'OpenAI:main': channel({ 'gpt-5': taking('supportsVision', 'supportsStop'), 'gpt-10': taking() }),
  'OpenAI:spare': channel({ 'gpt-5': taking('supportsVision', 'supportsTopK') }),
}
const CHANNELS = channelOptions(LIST)

describe('models to choose from', () => {
  it('are those on the list of the token, each once and by name', { tags: 'C3.24' }, () => {
    const options = modelOptions({ restricted: 'gpt-10, gpt-5,,gpt-5', entitled: ['other'], channels: CHANNELS })
    expect(options).toEqual([
      {
        id: 'gpt-5',
        label: 'gpt-5',
        channels: ['main', 'spare'],
        object: 'model',
        owned_by: 'token-restricted',
      },
      { id: 'gpt-10', label: 'gpt-10', channels: ['main'], object: 'model', owned_by: 'token-restricted' },
    ])
  })

  it.each([null, '', ' , '])(
    'are all that the owner may use when the list of the token is %j',
    { tags: 'C3.24' },
    (restricted) => {
      const options = modelOptions({ restricted, entitled: ['b', 'a', 'b'], channels: [] })
      expect(options.map(({ id, owned_by, channels }) => [id, owned_by, channels])).toEqual([
        ['a', 'user-entitlement', []],
        ['b', 'user-entitlement', []],
      ])
    },
  )

  it('are narrowed down by a channel', () => {
    const options = modelOptions({ restricted: null, entitled: ['gpt-5', 'gpt-10'], channels: CHANNELS })
    expect(modelsOfChannel(options, CHANNELS[1]).map(({ id }) => id)).toEqual(['gpt-5'])
    expect(modelsOfChannel(options, undefined)).toEqual(options)
  })
})

describe('the model in force', () => {
  const options = modelOptions({ restricted: 'a,b,c', entitled: [], channels: [] })

  it.each([
    ['the chosen one while it is offered', 'b', 'c', 'b'],
    ['the one of an earlier visit when the chosen one is not offered', 'gone', 'c', 'c'],
    ['the one of an earlier visit when none is chosen', undefined, 'c', 'c'],
    ['the first when neither is offered', 'gone', 'lost', 'a'],
    ['none when the choice was cleared', '', 'c', ''],
  ])('is %s', { tags: 'C4.22' }, (_, chosen, stored, expected) => {
    expect(modelInForce(options, chosen, stored)).toBe(expected)
  })

  it('is none when nothing is offered', () => {
    expect(modelInForce([], 'a', 'b')).toBe('')
  })
})

describe('what a model accepts', () => {
  it('is what every channel that might answer accepts', { tags: 'C3.27' }, () => {
    expect(capabilitiesIn(LIST, 'gpt-5')).toEqual({ ...NO_CAPABILITIES, supportsVision: true })
  })

  it('is nothing certain when no channel lists the model', () => {
    expect(capabilitiesIn(LIST, 'unheard-of')).toEqual(NO_CAPABILITIES)
  })

  it('treats names of built-in object properties like any other', () => {
    expect(capabilitiesIn(LIST, 'constructor')).toEqual(NO_CAPABILITIES)
  })
})

describe('the longest answer of a model', () => {
  it('is that of its strictest channel, if any states one', () => {
    const list = {
      'a:a': channel({ x: { ...taking(), max_tokens: 8_192 }, y: taking() }),
      'b:b': channel({ x: { ...taking(), max_tokens: 4_096 } }),
      'c:c': channel({ x: taking() }),
    }
    expect(['x', 'y', 'z'].map((name) => answerLimitIn(list, name))).toEqual([4_096, undefined, undefined])
  })
})

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
