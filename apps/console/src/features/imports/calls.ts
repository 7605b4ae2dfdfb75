import type { ImportRun } from '@sluice/contract/import'
import { latestImport } from '@sluice/contract/routes/imports'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

export const LATEST_IMPORT = ['imports', 'latest'] as const

/** Null before the first run. */
export function latestImportQuery(call: Call): QuerySpec<ImportRun | null> {
  return {
    queryKey: LATEST_IMPORT,
    queryFn: async ({ signal }) => successOf(await call(latestImport, { signal })).data,
  }
}
