import { useQueryClient } from '@tanstack/react-query'
import { CHANNEL_HEALTH } from '~/features/channels/calls.ts'

/** Refetches what a change of keys has changed. */
export function useRefreshKeys(): () => Promise<void> {
  const cache = useQueryClient()
  return async () => {
    await Promise.all(['channels', CHANNEL_HEALTH[0]].map((area) => cache.invalidateQueries({ queryKey: [area] })))
  }
}
