import type { ChannelJob } from '@sluice/contract/channel'
import { channelBalanceStatus, channelTestStatus } from '@sluice/contract/routes/channels'
import { type Call, successOf } from '../../../lib/http/call.ts'
import type { QuerySpec } from '../../../lib/query/queries.ts'

/** How far the test of all channels has come; of the last one when none runs. */
export function testJobQuery(call: Call): QuerySpec<ChannelJob> {
  return {
    queryKey: ['channel-jobs', 'test'],
    queryFn: async ({ signal }) => successOf(await call(channelTestStatus, { signal })).data,
  }
}

/** How far the look at all balances has come. */
export function balanceJobQuery(call: Call): QuerySpec<ChannelJob> {
  return {
    queryKey: ['channel-jobs', 'balance'],
    queryFn: async ({ signal }) => successOf(await call(channelBalanceStatus, { signal })).data,
  }
}
