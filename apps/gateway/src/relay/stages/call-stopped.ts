import type { Refusal } from '@sluice/contract/errors'

/** The abort reason of a call that its owner or an administrator stopped. */
export class CallStopped extends Error {
  constructor() {
    super('the call was stopped')
  }
}

export const isStopped = (signal: Pick<AbortSignal, 'reason'>): boolean => signal.reason instanceof CallStopped

/** The refusal for a client whose call was ended by the gateway: it was stopped, or the gateway is stopping. */
export function endedRefusal(signal: Pick<AbortSignal, 'reason'>): Refusal {
  return isStopped(signal) ? { code: 'call_stopped' } : { code: 'shutting_down', retryAfter: 1 }
}
