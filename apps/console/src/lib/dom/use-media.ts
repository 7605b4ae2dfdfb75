import { useSyncExternalStore } from 'react'

/**
 * Widths from the specification: mobile below 768 px, tablet below 1,024 px, desktop below 1,280 px, large above. `wide` and
 * `roomy` are ours, for lists with many columns.
 */
export const BREAKPOINTS = { tablet: 768, desktop: 1_024, large: 1_280, wide: 1_440, roomy: 1_680 } as const

export function useIsBelow(breakpoint: keyof typeof BREAKPOINTS): boolean {
  const query = `(width < ${BREAKPOINTS[breakpoint]}px)`
  return useSyncExternalStore(
    (listener) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
  )
}
