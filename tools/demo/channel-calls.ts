import { parseAttempts } from '@sluice/contract/log'
import type { ChannelCalls } from '@sluice/store/queries/channels/channel-history'
import type { PastRequest } from './history.ts'

const SLOT_S = 300

/** Outcomes of the calls to each channel, in slots of five minutes, as the gateway would have counted them. */
export function channelCalls(requests: readonly PastRequest[]): readonly ChannelCalls[] {
  const slots = new Map<string, ChannelCalls>()
  for (const request of requests) {
    const { attempts, received } = request.outcome === 'charged' ? request.settlement.trace : request.trace
    for (const { channel: channelId, ended, error } of parseAttempts(attempts)) {
      const second = Math.floor((received + ended) / 1_000)
      const start = second - (second % SLOT_S)
      const { answered, failed } = slots.get(`${channelId} ${start}`) ?? { answered: 0, failed: 0 }
      slots.set(
        `${channelId} ${start}`,
        error === ''
          ? { channelId, start, answered: answered + 1, failed }
          : { channelId, start, answered, failed: failed + 1 },
      )
    }
  }
  return [...slots.values()]
}
