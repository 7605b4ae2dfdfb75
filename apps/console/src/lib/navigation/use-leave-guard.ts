import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'

export interface LeaveGuard {
  /** Set while the visitor has been stopped from leaving; the form asks and calls one of the two. */
  readonly stopped: { readonly stay: () => void; readonly leave: () => void } | undefined
  /** Lets the next navigation pass, because the entries have been saved. */
  readonly release: () => void
}

interface Destination {
  readonly pathname: string
  readonly search: object
}

/**
 * Stops navigation, reload and closing the tab while there are unsaved changes. `keeps` says which navigations lose nothing, for a
 * page with part of its state in the address.
 */
export function useLeaveGuard(unsaved: boolean, keeps: (next: Destination) => boolean = () => false): LeaveGuard {
  const released = useRef(false)
  const holds = () => unsaved && !released.current
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => holds() && !keeps(next),
    enableBeforeUnload: holds,
    withResolver: true,
  })
  return {
    stopped: blocker.status === 'blocked' ? { stay: blocker.reset, leave: blocker.proceed } : undefined,
    release: () => {
      released.current = true
    },
  }
}
