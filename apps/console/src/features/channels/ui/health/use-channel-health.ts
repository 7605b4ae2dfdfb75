import type { ChannelHealth } from '@sluice/contract/routing'
import { useQuery } from '@tanstack/react-query'
import { channelHealthQuery } from '~/features/channels/calls.ts'
import { useCall } from '~/lib/http/use-call.ts'

/** Pause between two polls while the page is visible, in milliseconds. */
export const LOOK_AGAIN_MS = 5_000

/** Keeps the health of all channels up to date; once per page. */
export function useHealthFollowed(): void {
  useQuery({ ...channelHealthQuery(useCall()), refetchInterval: LOOK_AGAIN_MS, notifyOnChangeProps: [] })
}

/**
 * Health of a channel; null when nothing was sent to it recently, undefined while it is unknown: before the first reply, and after
 * a poll that failed. Re-renders only when it changes.
 */
export function useHealthOf(id: number): ChannelHealth | null | undefined {
  const { data, isError } = useQuery({
    ...channelHealthQuery(useCall()),
    // The page polls; a cell only reads.
    enabled: false,
    select: (channels) => channels.find(({ channel }) => channel === id) ?? null,
  })
  return isError ? undefined : data
}
