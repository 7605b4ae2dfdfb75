import type { DisplayedModel, PriceList } from '@sluice/contract/price-list'
import { expect, test } from 'vitest'
import { catalogueOf, filteredCatalogue, offersOf } from './catalogue.ts'

const NO_CAPABILITIES: DisplayedModel['capabilities'] = {
  supportsTopP: false,
  supportsTopK: false,
  supportsMaxCompletionTokens: false,
  supportsFrequencyPenalty: false,
  supportsPresencePenalty: false,
  supportsStop: false,
  supportsReasoningEffort: false,
  supportsThinking: false,
  supportsVision: false,
}
const model = (input_price: number): DisplayedModel => ({
  input_price,
  cached_input_price: input_price,
  output_price: 2 * input_price,
  cache_write_5m_price: input_price,
  cache_write_1h_price: input_price,
  max_tokens: 0,
  image_price: 0,
  capabilities: NO_CAPABILITIES,
})
const group = (channel_name: string, ...names: string[]): PriceList[string] => ({
  channel_name,
  channel_type: 1,
  groups: [],
  models: Object.fromEntries(names.map((name) => [name, model(1)])),
})
const groups = catalogueOf({
  'OpenAI:main:eu': group('main:eu', 'gpt-10', 'gpt-9', 'o3'),
  'Azure:spare': group('spare', 'gpt-9', 'GPT-9-mini'),
})
const names = (found: typeof groups) => found.map(({ label, models }) => [label, models.map(({ name }) => name)])

test(
  'a group is named by what follows the first colon, and lists its models by name',
  { tags: ['C3.17', 'C3.26'] },
  () => {
    expect(groups.map(({ provider }) => provider)).toEqual(['OpenAI', 'Azure'])
    expect(names(groups)).toEqual([
      ['main:eu', ['gpt-9', 'gpt-10', 'o3']],
      ['spare', ['gpt-9', 'GPT-9-mini']],
    ])
  },
)

test('cached input costs as much as input unless the list gives it its own price', { tags: 'C3.17' }, () => {
  const { cached_input_price: _, ...unnamed } = model(3)
  const list = {
    'OpenAI:main': { ...group('main'), models: { unnamed, named: { ...unnamed, cached_input_price: 1 } } },
  }
  expect(catalogueOf(list)[0]?.models.map(({ name, prices }) => [name, prices.cached_input_price])).toEqual([
    ['named', 1],
    ['unnamed', 3],
  ])
})

test('words match in any order and case, and groups without a match are dropped', () => {
  expect(names(filteredCatalogue(groups, { keyword: ' mini gpt ', channels: [] }))).toEqual([['spare', ['GPT-9-mini']]])
  expect(filteredCatalogue(groups, { keyword: 'claude', channels: [] })).toEqual([])
})

test('channels narrow the list; one that no longer exists does not empty it', () => {
  expect(names(filteredCatalogue(groups, { keyword: 'gpt-9', channels: ['Azure:spare'] }))).toEqual([
    ['spare', ['gpt-9', 'GPT-9-mini']],
  ])
  expect(filteredCatalogue(groups, { keyword: '', channels: ['Azure:gone'] })).toEqual(groups)
})

test('a model is found in every group that has it, the wanted one first', () => {
  const at = (wanted?: string) => offersOf(groups, 'gpt-9', wanted).map(({ group: { label } }) => label)
  expect(at()).toEqual(['main:eu', 'spare'])
  expect(at('Azure:spare')).toEqual(['spare', 'main:eu'])
  expect(offersOf(groups, 'nobody', undefined)).toEqual([])
})
