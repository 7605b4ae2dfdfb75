import { totpStatus } from '@sluice/contract/routes/totp'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** Whether the second step is on, and how many recovery codes are left. */
export function totpStatusQuery(
  call: Call,
): QuerySpec<{ totp_enabled: boolean; recovery_codes_left?: number | undefined }> {
  return {
    queryKey: ['account', 'totp'],
    queryFn: async ({ signal }) => successOf(await call(totpStatus, { signal })).data,
  }
}
