import type { ChannelHealth } from '@sluice/contract/routing'
import { useQuery } from '@tanstack/react-query'
import { useCall } from '../../../lib/http/use-call.ts'
import { channelHealthQuery } from '../api/channel-health.ts'

/** Pause between two looks while the page is in sight, in milliseconds. */
export const LOOK_AGAIN_MS = 5_000

/** Keeps the health of all channels up to date; once per page. */
export function useHealthFollowed(): void {
  useQuery({ ...channelHealthQuery(useCall()), refetchInterval: LOOK_AGAIN_MS, notifyOnChangeProps: [] })
}

/**
 * Health of a channel; null when nothing was sent to it lately, undefined while it is not known: before the first answer, and after
 * a look that failed. Draws again only when it changes.
 */
export function useHealthOf(id: number): ChannelHealth | null | undefined {
  const { data, isError } = useQuery({
    ...channelHealthQuery(useCall()),
    // Whoever follows asks; a cell only looks.
    enabled: false,
    select: (channels) => channels.find(({ channel }) => channel === id) ?? null,
  })
  return isError ? undefined : data
}
