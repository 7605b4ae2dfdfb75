import { describe, expect, test } from 'vitest'
import { KINDS } from './kinds/all.ts'
import { defaultModels, defaultPricing, defaultRatios, modelOwners, modelsByKind } from './model-lists.ts'
import { parseModelConfigs } from './prices/model-configs.ts'
import { NO_OVERRIDES } from './prices/price-overrides.ts'
import { modelPrice, quotesAround, rates } from './prices/rates.ts'

const TODAY = Date.UTC(2026, 10, 21)

test('lists hold live chat models only', () => {
  const openai = defaultModels(1, TODAY)
  expect(openai).toContain('gpt-4o')
  expect(openai).toContain('gpt-6-luna')
  expect(openai).not.toContain('gpt-4')
  expect(openai).not.toContain('gpt-5.5-pro')
  expect(openai).not.toContain('text-embedding-3-small')
})

test('a model leaves the lists on the day of its shutdown', () => {
  expect(defaultModels(1, Date.UTC(2027, 0, 13, 23))).toContain('gpt-4o')
  expect(defaultModels(1, Date.UTC(2027, 0, 14))).not.toContain('gpt-4o')
})

test('every kind has a list, and a kind that can be in front of anything knows every vendor’s models', () => {
  const lists = modelsByKind(TODAY)
  expect(Object.keys(lists)).toHaveLength(KINDS.length)
  expect(lists['50']).toStrictEqual(
    expect.arrayContaining(['gpt-4o', 'claude-opus-5', 'gemini-3.8-flash', 'qwen3.8-max']),
  )
  expect(lists['38']).toStrictEqual([])
})

test('every model belongs to the vendor it comes from, whoever else sells it', () => {
  const owners = new Map(modelOwners(TODAY).map(({ model, owner }) => [model, owner]))
  expect(owners.get('gpt-4o')).toBe('OpenAI')
  expect(owners.get('claude-opus-5')).toBe('Anthropic')
  expect(owners.get('gemini-3.8-flash')).toBe('Gemini')
  expect([...owners.values()]).not.toContain('custom')
})

describe('default pricing', () => {
  test('is a model configuration, with the cap where it is known', () => {
    expect(JSON.parse(defaultPricing(1, TODAY, NO_OVERRIDES))).toMatchObject({
      'gpt-4o': { ratio: 1.25, completion_ratio: 4, max_tokens: 16_384 },
    })
    expect(defaultPricing(38, TODAY, NO_OVERRIDES)).toBe('{}')
  })

  test('is available in the older form of two tables', () => {
    const { modelRatio, completionRatio } = defaultRatios(1, TODAY, NO_OVERRIDES)
    expect(JSON.parse(modelRatio)).toMatchObject({ 'gpt-4o': 1.25 })
    expect(JSON.parse(completionRatio)).toMatchObject({ 'gpt-4o': 4 })
    expect(defaultRatios(38, TODAY, NO_OVERRIDES)).toEqual({ modelRatio: '{}', completionRatio: '{}' })
  })

  test.each(KINDS.map(({ code, name }) => [code, name] as const))(
    'of type %i %s, saved on a channel, changes no price',
    (code) => {
      const configs = parseModelConfigs(defaultPricing(code, TODAY, NO_OVERRIDES))
      if ('problem' in configs) throw new Error(configs.problem)
      for (const model of defaultModels(code, TODAY)) {
        const list = rates(code, model, new Map(), TODAY)
        const own = rates(code, model, configs, TODAY)
        if (list === 'missing' || own === 'missing') throw new Error(`${model} has no price`)
        expect(own, model).toStrictEqual({ ...list, source: 'channel' })
      }
    },
  )

  test('with price overrides, saved on a channel, changes no price either', () => {
    const overrides = parseModelConfigs(
      JSON.stringify({
        'gpt-4o': { ratio: 5, completion_ratio: 3, cached_input_ratio: 4 },
        'gpt-4.1': { per_call: { usd_per_thousand_calls: 0.07, only: true } },
      }),
    )
    if ('problem' in overrides) throw new Error(overrides.problem)
    const text = defaultPricing(1, TODAY, overrides)
    expect(JSON.parse(text)).toMatchObject({
      'gpt-4o': { ratio: 5, completion_ratio: 3 },
      'gpt-4.1': { per_call: { usd_per_thousand_calls: 0.07, only: true } },
    })
    expect(JSON.parse(defaultRatios(1, TODAY, overrides).modelRatio)).toMatchObject({ 'gpt-4o': 5 })
    const configs = parseModelConfigs(text)
    if ('problem' in configs) throw new Error(configs.problem)
    for (const model of ['gpt-4o', 'gpt-4.1']) {
      const [listed, own] = [new Map(), configs].map((channel) => modelPrice(1, model, channel, overrides))
      if (listed === undefined || listed === 'missing' || own === undefined || own === 'missing') throw new Error(model)
      expect(quotesAround(own, TODAY).usual.rates).toEqual(quotesAround(listed, TODAY).usual.rates)
    }
  })
})
