import type { ChannelStatus } from '@sluice/contract/price-list'
import { expect, test } from 'vitest'
import { channelsNamed, summaryOf } from './calls.ts'

const channel = (name: string, status: string, response_time_ms: number): ChannelStatus => ({
  name,
  status,
  enabled: status === 'enabled',
  response: { response_time_ms, test_time: 1, created_time: 1 },
})
const all = [
  channel('Alpha', 'enabled', 100),
  channel('Beta', 'enabled', 301),
  channel('Gamma', 'enabled', 0),
  channel('Alphabet', 'manually_disabled', 9_000),
  channel('Delta', 'auto_disabled', Number.NaN),
  channel('Epsilon', 'asleep', 5),
]

test('a summary that the server does not give is computed from its list', () => {
  expect(summaryOf(all)).toEqual({
    channels: 6,
    enabled: 3,
    manually_disabled: 1,
    auto_disabled: 1,
    average_response_ms: 201,
  })
  expect(summaryOf([]).average_response_ms).toBe(0)
})

test('a search that the server does not support matches a part of the name', () => {
  expect(channelsNamed(all, ' ALPHA ').map(({ name }) => name)).toEqual(['Alpha', 'Alphabet'])
  expect(channelsNamed(all, '')).toHaveLength(6)
})
