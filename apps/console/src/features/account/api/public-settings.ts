import { status } from '@sluice/contract/routes/system'
import type { SystemStatus } from '@sluice/contract/status'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** The public settings as they are now, with what the console does not keep. */
export function publicSettingsQuery(call: Call): QuerySpec<SystemStatus> {
  return {
    queryKey: ['account', 'public-settings'],
    queryFn: async ({ signal }) => successOf(await call(status, { signal })).data,
  }
}
