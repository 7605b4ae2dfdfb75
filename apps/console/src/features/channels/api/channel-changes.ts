import type { Channel } from '@sluice/contract/channel'
import { deleteChannel, updateChannel } from '@sluice/contract/routes/channels'
import type { Call } from '../../../lib/http/call.ts'
import type { RowCalls } from '../../../lib/list/row-calls.ts'

/** The calls that switch a channel on and off, and delete it. */
export function channelChanges(call: Call): RowCalls<Channel> {
  return {
    setStatus: ({ id }, status) => call(updateChannel, { query: { status_only: '1' }, body: { id, status } }),
    remove: ({ id }) => call(deleteChannel, { params: { id } }),
  }
}
