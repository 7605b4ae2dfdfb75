import type { ImportRun } from '@sluice/contract/import'
import { latestImport } from '@sluice/contract/routes/imports'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

/** Query key of the latest check or import. */
export const LATEST_IMPORT = ['imports', 'latest'] as const

/** The latest check or import; null before the first. */
export function latestImportQuery(call: Call): QuerySpec<ImportRun | null> {
  return {
    queryKey: LATEST_IMPORT,
    queryFn: async ({ signal }) => successOf(await call(latestImport, { signal })).data,
  }
}
