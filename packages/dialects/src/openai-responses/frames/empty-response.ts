import { pendingResponse } from '../background/pending-response.ts'
import { encodeUsage } from '../encode-usage.ts'

/** The events of a response to `body` for which nothing was generated. `created` in unix seconds. */
export function emptyResponseEvents(
  body: Uint8Array,
  response: { readonly id: string; readonly created: number },
): Uint8Array {
  const { id, created } = response
  const head = { ...pendingResponse(body, id, created), background: false, store: false }
  const ended = { status: 'completed', completed_at: created, usage: NO_USAGE }
  const events = [
    { type: 'response.created', sequence_number: 0, response: { ...head, status: 'in_progress' } },
    { type: 'response.completed', sequence_number: 1, response: { ...head, ...ended } },
  ]
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return new TextEncoder().encode(text)
}

const NO_USAGE = encodeUsage({ input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 })
