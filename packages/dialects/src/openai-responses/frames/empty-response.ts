import { encodeUsage } from '../encode-usage.ts'

/** The events of a response for which nothing was generated. `created` in unix seconds. */
export function emptyResponseEvents(response: {
  readonly id: string
  readonly created: number
  readonly model: string
}): Uint8Array {
  const { id, created, model } = response
  const head = { id, object: 'response', created_at: created, model, error: null, incomplete_details: null, output: [] }
  const events = [
    { type: 'response.created', sequence_number: 0, response: { ...head, status: 'in_progress', usage: null } },
    { type: 'response.completed', sequence_number: 1, response: { ...head, status: 'completed', usage: NO_USAGE } },
  ]
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return new TextEncoder().encode(text)
}

const NO_USAGE = encodeUsage({ input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 })
