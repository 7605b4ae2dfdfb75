import { describe, expect, it } from 'vitest'
import { modelFilter } from './logs-of.ts'
import { type Metric } from './search.ts'
import { foldedSeries, namedCount, NAMED_SERIES_MAX, OTHER_KEY, usageSeries } from './series.ts'
import { type ModelDay, modelName, tokenName, userName } from './usage.ts'

const fallbacks = {
  unknownModel: 'Unknown model',
  unknownUser: 'Unknown user',
  unnamedToken: 'unnamed token',
  unknownOwner: 'unknown',
}
const days = ['2026-11-19', '2026-11-20']
const row = (Day: string, ModelName: string, RequestCount: number, Quota: number, tokens: number): ModelDay => ({
  Day,
  ModelName,
  RequestCount,
  Quota,
  PromptTokens: tokens,
  CompletionTokens: 0,
})
const seriesOf = (rows: readonly ModelDay[], metric: Metric) =>
  usageSeries({
    rows,
    days,
    metric,
    nameOf: (one) => modelName(one, fallbacks),
    filterOf: modelFilter,
    otherName: 'Other',
  })

describe('names', { tags: 'A2.45' }, () => {
  it.each([
    ['gpt-5', 'gpt-5'],
    ['', 'Unknown model'],
    [' ', 'Unknown model'],
  ])('model %j reads %s', (ModelName, name) => {
    expect(modelName({ ModelName }, fallbacks)).toBe(name)
  })

  it.each([
    ['alice', 'alice'],
    ['', 'Unknown user'],
  ])('user %j reads %s', (Username, name) => {
    expect(userName({ Username, UserId: 7 }, fallbacks)).toBe(name)
    expect(userName({ Username, UserId: 0 }, fallbacks)).toBe(name)
  })

  it.each([
    ['ci', 'alice', 'ci (alice)'],
    ['', 'alice', 'unnamed token (alice)'],
    ['ci', '', 'ci (unknown)'],
    ['', '', 'unnamed token (unknown)'],
  ])('token %j of %j reads %s', (TokenName, Username, name) => {
    expect(tokenName({ TokenName, Username, UserId: 7 }, fallbacks)).toBe(name)
    expect(tokenName({ TokenName, Username, UserId: 0 }, fallbacks)).toBe(name)
  })

  it('gives no name to rows that the server has added up', () => {
    expect(userName({ Username: 'Others', UserId: 0 }, fallbacks)).toBeUndefined()
    expect(tokenName({ TokenName: 'Others', Username: 'Others', UserId: 0 }, fallbacks)).toBeUndefined()
  })
})

describe('series', () => {
  const rows = [
    row('2026-11-19', 'a', 1, 500, 10),
    row('2026-11-20', 'a', 2, 100, 20),
    row('2026-11-20', 'b', 9, 50, 25),
    row('2026-11-20', 'b', 1, 0, 0),
    row('2026-11-18', 'b', 9, 9, 9),
  ]

  it.each([
    [
      'tokens',
      ['a', 'b'],
      [
        [10, 20],
        [0, 25],
      ],
    ],
    [
      'requests',
      ['b', 'a'],
      [
        [0, 10],
        [1, 2],
      ],
    ],
    [
      'expenses',
      ['a', 'b'],
      [
        [500, 100],
        [0, 50],
      ],
    ],
  ] as const)('by %s are ordered largest first, with one value per day', (metric, names, values) => {
    const series = seriesOf(rows, metric)
    expect(series.map(({ name }) => name)).toEqual(names)
    expect(series.map((one) => one.values)).toEqual(values)
    expect(series.map(({ total }) => total)).toEqual(values.map(([first, second]) => first + second))
  })

  it('keep their colour whatever the metric', () => {
    const colours = (metric: Metric) => new Map(seriesOf(rows, metric).map(({ name, colour }) => [name, colour]))
    expect(colours('tokens')).toEqual(colours('requests'))
    expect(colours('tokens')).toEqual(colours('expenses'))
  })

  it('merge rows with the same fallback name', () => {
    expect(seriesOf([row('2026-11-19', '', 1, 1, 1), row('2026-11-20', ' ', 1, 1, 1)], 'requests')).toHaveLength(1)
  })

  it('are none without usage', () => {
    expect(seriesOf([row('2026-11-19', 'a', 0, 0, 0)], 'tokens')).toEqual([])
  })

  const many = Array.from({ length: NAMED_SERIES_MAX + 3 }, (_, index) =>
    row('2026-11-20', `m${index}`, index, 1, 100 - index),
  )

  it('all have a name and a colour, which they keep when the smaller ones are folded', { tags: 'A2.46' }, () => {
    const series = seriesOf(many, 'tokens')
    expect(series.map(({ name }) => name)).toEqual(many.map(({ ModelName }) => ModelName))
    expect(namedCount(series)).toBe(NAMED_SERIES_MAX + 3)
    const colours = series.map(({ colour }) => colour)
    expect([...colours].sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(many.map((_, index) => index))
    const folded = foldedSeries(series, 'Other')
    expect(folded.slice(0, NAMED_SERIES_MAX)).toEqual(series.slice(0, NAMED_SERIES_MAX))
    expect(foldedSeries(series.slice(0, NAMED_SERIES_MAX), 'Other')).toEqual(series.slice(0, NAMED_SERIES_MAX))
  })

  it('are all shown by name when there is one more than colours, which repeat', { tags: 'A2.46' }, () => {
    const series = foldedSeries(seriesOf(many.slice(0, NAMED_SERIES_MAX + 1), 'tokens'), 'Other')
    expect(series.map(({ name }) => name)).not.toContain('Other')
    expect(series.map(({ colour }) => colour).sort((a = 0, b = 0) => a - b)).toEqual(series.map((_, index) => index))
  })

  it('beyond fifteen are added up as Other while they are folded, last and without a colour', () => {
    const series = foldedSeries(seriesOf(many, 'tokens'), 'Other')
    expect(series).toHaveLength(NAMED_SERIES_MAX + 1)
    expect(series.at(-1)).toEqual({
      key: OTHER_KEY,
      name: 'Other',
      values: [0, 85 + 84 + 83],
      total: 85 + 84 + 83,
      colour: undefined,
    })
    expect(new Set(series.slice(0, -1).map(({ colour }) => colour)).size).toBe(NAMED_SERIES_MAX)
  })

  it('include what the server has added up in Other, however large it is', () => {
    const rows = [row('2026-11-20', 'a', 1, 1, 10), row('2026-11-20', 'rest', 9, 9, 900)]
    const series = usageSeries({
      rows,
      days,
      metric: 'tokens',
      nameOf: ({ ModelName }) => (ModelName === 'rest' ? undefined : ModelName),
      filterOf: modelFilter,
      otherName: 'Other',
    })
    expect(series.map(({ key, total }) => [key, total])).toEqual([
      ['a', 10],
      [OTHER_KEY, 900],
    ])
  })
})
