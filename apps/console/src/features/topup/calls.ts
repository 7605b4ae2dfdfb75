import { type Log, LOG_TYPE } from '@sluice/contract/log'
import { self } from '@sluice/contract/routes/account'
import { listOwnLogs } from '@sluice/contract/routes/logs'
import type { User } from '@sluice/contract/user'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'

const BALANCE = ['topup', 'self'] as const

/** The whole account, which includes the balance. */
export function balanceQuery(call: Call): QuerySpec<User> {
  return {
    queryKey: BALANCE,
    queryFn: async ({ signal }) => successOf(await call(self, { signal })).data,
  }
}

const RECENT_TOPUPS = ['topup', 'recent'] as const
const TOPUPS_SHOWN = 5

/** The latest credits, from the logs. */
export function recentTopupsQuery(call: Call): QuerySpec<readonly Log[]> {
  return {
    queryKey: RECENT_TOPUPS,
    queryFn: async ({ signal }) => {
      const query = { p: '0', size: String(TOPUPS_SHOWN), type: String(LOG_TYPE.topup) }
      return successOf(await call(listOwnLogs, { query, signal })).data
    },
  }
}
