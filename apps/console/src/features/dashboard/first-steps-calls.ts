import { can } from '@sluice/contract/capability'
import { self } from '@sluice/contract/routes/account'
import { listAlarms } from '@sluice/contract/routes/alarms'
import { listChannels } from '@sluice/contract/routes/channels'
import { listTokens } from '@sluice/contract/routes/tokens'
import { totpStatus } from '@sluice/contract/routes/totp'
import { listUsers } from '@sluice/contract/routes/users'
import { type Call, successOf } from '~/lib/http/call.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'
import type { Beginnings } from './model/first-steps.ts'

const ONE = '1'
const UNPRICED = 'unpriced_model'

/** What has been done so far, read from the lists themselves. */
export function beginningsQuery(call: Call, role: number | undefined): QuerySpec<Beginnings> {
  return {
    queryKey: ['dashboard', 'beginnings', role],
    queryFn: async ({ signal }) => {
      const [account, tokens, totp, gateway] = await Promise.all([
        call(self, { signal }).then(successOf),
        call(listTokens, { query: { size: ONE }, signal }).then(successOf),
        call(totpStatus, { signal }).then(successOf),
        can(role, 'channels.manage') ? gatewayBeginnings(call, signal) : undefined,
      ])
      return {
        tokens: tokens.total,
        requests: account.data.request_count,
        balance: account.data.quota,
        twoFactor: totp.data.totp_enabled,
        ...(gateway !== undefined && { gateway }),
      }
    },
  }
}

async function gatewayBeginnings(call: Call, signal: AbortSignal): Promise<Beginnings['gateway']> {
  const [channels, users, alarms] = await Promise.all([
    call(listChannels, { query: { size: ONE, sort: 'test_time', order: 'desc' }, signal }).then(successOf),
    call(listUsers, { query: { size: ONE }, signal }).then(successOf),
    call(listAlarms, { query: {}, signal }).then(successOf),
  ])
  return {
    channels: channels.total,
    tested: (channels.data[0]?.test_time ?? 0) > 0,
    unpricedModels: alarms.data.filter(({ kind }) => kind === UNPRICED).length,
    users: users.total,
  }
}
