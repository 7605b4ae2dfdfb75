import { describe, expect, it } from 'vitest'
import {
  configRows,
  configText,
  CONFIG_ROWS,
  mappingRows,
  mappingText,
  repeatedNames,
  rowPrice,
  pricingOf,
} from './config-rows.ts'

const CONFIGS = '{"a":{"ratio":1.5,"completion_ratio":4,"max_tokens":100},"b":{"ratio":0,"tiers":[{"from":1}]}}'

describe('rows of model configs', () => {
  it('come back as the text that they were made of, settings that they do not show included', () => {
    const rows = configRows(CONFIGS)
    expect(rows).toEqual([
      { model: 'a', ratio: '1.5', completion_ratio: '4', max_tokens: '100', others: {} },
      { model: 'b', ratio: '0', completion_ratio: '', max_tokens: '', others: { tiers: [{ from: 1 }] } },
    ])
    expect(JSON.parse(configText(rows ?? []))).toEqual(JSON.parse(CONFIGS))
    expect(configRows('')).toEqual([])
    expect(configText([])).toBe('')
  })

  it.each(['{', '[]', '7', '{"a":1}', '{"a":{"ratio":"1"}}', '{"a":null}'])('leave %s to the editor', (text) => {
    expect(configRows(text)).toBeUndefined()
  })

  it('are not sent without a model, and only once per model', () => {
    const rows = [
      { ...CONFIG_ROWS.empty, ratio: '1' },
      { ...CONFIG_ROWS.empty, model: 'm', ratio: '1' },
      { ...CONFIG_ROWS.empty, model: ' m ', ratio: '2' },
    ]
    expect(JSON.parse(configText(rows))).toEqual({ m: { ratio: 2 } })
    expect(repeatedNames(rows.map(({ model }) => model))).toEqual(['m'])
  })

  it('say what a million tokens cost', () => {
    const row = { ...CONFIG_ROWS.empty, model: 'm' }
    expect(rowPrice({ ...row, ratio: '1.25', completion_ratio: '4' })).toEqual({ input: 2.5, output: 10 })
    expect(rowPrice({ ...row, ratio: '1' })).toEqual({ input: 2, output: 2 })
    expect(rowPrice(row)).toBeUndefined()
  })
})

describe('rows of a model mapping', () => {
  it('come back as the text that they were made of', () => {
    expect(mappingRows('{"a":"b","c":"d"}')).toEqual([
      { from: 'a', to: 'b' },
      { from: 'c', to: 'd' },
    ])
    expect(mappingText([{ from: ' a ', to: 'b ' }])).toBe('{\n  "a": "b"\n}')
    expect(mappingText([{ from: '', to: 'b' }])).toBe('')
  })

  it.each(['{', '[]', '{"a":1}'])('leave %s to the editor', (text) => {
    expect(mappingRows(text)).toBeUndefined()
  })
})

const defaults = '{ "a": { "ratio": 1.25, "completion_ratio": 4 }, "b": {"max_tokens":16384} }'

describe('default pricing', () => {
  it('holds only the chosen models, one per line', () => {
    expect(pricingOf(['b', 'unknown'], defaults)).toBe('{\n  "b": { "max_tokens": 16384 }\n}')
  })

  it('holds every model while none is chosen', () => {
    expect(pricingOf([], defaults)).toBe(
      '{\n  "a": { "ratio": 1.25, "completion_ratio": 4 },\n  "b": { "max_tokens": 16384 }\n}',
    )
  })

  it.each([
    [['x'], defaults],
    [[], '{}'],
    [[], ''],
  ])('is empty for %j of %j', (models, text) => {
    expect(pricingOf(models, text)).toBe('')
  })
})
