import type { Refusal } from '@sluice/contract/errors'

/** Why a call ends that its owner or an administrator stopped: the reason of its abort signal. */
export class CallStopped extends Error {
  constructor() {
    super('the call was stopped')
  }
}

export const isStopped = (signal: Pick<AbortSignal, 'reason'>): boolean => signal.reason instanceof CallStopped

/** What a client is told whose call was ended from here: it was stopped, or the gateway stops. */
export function endedRefusal(signal: Pick<AbortSignal, 'reason'>): Refusal {
  return isStopped(signal) ? { code: 'call_stopped' } : { code: 'shutting_down', retryAfter: 1 }
}
