import type { WireError } from '../canon/upstream-error.ts'

/** An error as an event of a realtime session. `eventId` is the client's event at fault; null if there is none. */
export function encodeRealtimeError(
  { type, code, message, param }: WireError,
  requestId: string,
  eventId: string | null,
): string {
  const error = { type, code, message: `${message} (request id: ${requestId})`, param, event_id: eventId }
  return JSON.stringify({ type: 'error', event_id: `event_${requestId}`, error })
}
