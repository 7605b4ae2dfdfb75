import type { DoctorReport } from '@sluice/contract/doctor'
import { examine } from '@sluice/contract/routes/doctor'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

/** An examination connects to other machines, so it is made only on demand and never repeated automatically. */
export function doctorQuery(call: Call): QuerySpec<DoctorReport> {
  return {
    queryKey: ['doctor'],
    queryFn: async ({ signal }) => successOf(await call(examine, { signal })).data,
    staleTime: Infinity,
  }
}
