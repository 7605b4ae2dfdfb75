import type { Log } from '@sluice/contract/log'
import type { KnownValue, KnownValues } from './filter-options.ts'

/** Models, tokens, users and channels of rows, each once, in the order of their first row. */
export function valuesIn(rows: readonly Log[]): KnownValues {
  const values = (of: (row: Log) => string): KnownValue[] =>
    [...new Set(rows.map(of))].filter((value) => value !== '').map((value) => ({ value }))
  const channels = new Map(rows.filter(({ channel }) => channel > 0).map((row) => [row.channel, row.channel_name]))
  return {
    model: values(({ model_name }) => model_name),
    token: values(({ token_name }) => token_name),
    user: values(({ username }) => username),
    channel: [...channels].map(([id, hint]) => ({ value: String(id), hint })),
  }
}
