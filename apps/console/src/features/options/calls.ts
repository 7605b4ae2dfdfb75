import { listOptions } from '@sluice/contract/routes/options'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

export const OPTIONS = ['options'] as const

export interface StoredOptions {
  /** By key, without secrets. */
  readonly values: Readonly<Record<string, string>>
  readonly secretsSet: readonly string[]
  /** Label of the configuration file that owns a setting, by key. */
  readonly managedBy: Readonly<Record<string, string>>
}

export function optionListQuery(call: Call): QuerySpec<StoredOptions> {
  return {
    queryKey: OPTIONS,
    queryFn: async ({ signal }) => {
      const { data, extra } = successOf(await call(listOptions, { signal }))
      return {
        values: Object.fromEntries(data.map(({ key, value }) => [key, value])),
        secretsSet: extra.secrets_set,
        managedBy: extra.managed_by,
      }
    },
  }
}
