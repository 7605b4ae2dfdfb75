import { type Log, LOG_TYPE } from '@sluice/contract/log'
import { listOwnLogs } from '@sluice/contract/routes/logs'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

const RECENT_TOPUPS = ['topup', 'recent'] as const
/** Rows that are shown. */
const ROWS = 5

/** The latest credits of the signed-in account, as the logs have them. */
export function recentTopupsQuery(call: Call): QuerySpec<readonly Log[]> {
  return {
    queryKey: RECENT_TOPUPS,
    queryFn: async ({ signal }) => {
      const query = { p: '0', size: String(ROWS), type: String(LOG_TYPE.topup) }
      return successOf(await call(listOwnLogs, { query, signal })).data
    },
  }
}
