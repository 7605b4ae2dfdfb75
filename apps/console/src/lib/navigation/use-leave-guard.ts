import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'

export interface LeaveGuard {
  /** Set while the visitor has been stopped on the way out; the form asks and calls one of the two. */
  readonly stopped: { readonly stay: () => void; readonly leave: () => void } | undefined
  /** Lets the next navigation pass: what was entered has been saved. */
  readonly release: () => void
}

/** Stops navigation, reload and closing the tab while there is something unsaved. */
export function useLeaveGuard(unsaved: boolean): LeaveGuard {
  const released = useRef(false)
  const holds = () => unsaved && !released.current
  const blocker = useBlocker({ shouldBlockFn: holds, enableBeforeUnload: holds, withResolver: true })
  return {
    stopped: blocker.status === 'blocked' ? { stay: blocker.reset, leave: blocker.proceed } : undefined,
    release: () => {
      released.current = true
    },
  }
}
