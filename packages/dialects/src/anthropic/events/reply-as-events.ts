import { asObject, type JsonObject } from '../../json-value.ts'

type Event = JsonObject & { readonly type: string }

/** A whole message as a stream, because some providers ignore `stream: true`. Each block is one piece, with its deltas. */
export function messageAsEvents(message: JsonObject): Uint8Array {
  const { content, stop_reason, stop_sequence, stop_details, usage, ...head } = message
  const begun = { ...head, content: [], stop_reason: null, stop_sequence: null, usage }
  const blocks = (Array.isArray(content) ? content : []).map((block) => asObject(block) ?? {})
  const events: readonly Event[] = [
    { type: 'message_start', message: begun },
    ...blocks.flatMap(eventsOf),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence, ...(stop_details === undefined ? {} : { stop_details }) },
      usage,
    },
    { type: 'message_stop' },
  ]
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  return new TextEncoder().encode(text.join(''))
}

function eventsOf(block: JsonObject, index: number): readonly Event[] {
  const { begun, deltas } = asDeltas(block)
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function asDeltas(block: JsonObject): { readonly begun: JsonObject; readonly deltas: readonly JsonObject[] } {
  switch (block['type']) {
    case 'text': {
      const { text, citations, ...rest } = block
      const cited = (Array.isArray(citations) ? citations : []) as readonly unknown[]
      const sources = cited.map((citation) => ({ type: 'citations_delta', citation }))
      return { begun: { ...rest, text: '' }, deltas: [{ type: 'text_delta', text }, ...sources] }
    }
    case 'thinking': {
      const { thinking, signature, ...rest } = block
      const signed = signature === undefined ? [] : [{ type: 'signature_delta', signature }]
      return {
        begun: { ...rest, thinking: '', signature: '' },
        deltas: [{ type: 'thinking_delta', thinking }, ...signed],
      }
    }
    case 'tool_use':
    case 'server_tool_use': {
      const { input, ...rest } = block
      const args = { type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) }
      return { begun: { ...rest, input: {} }, deltas: [args] }
    }
    default:
      return { begun: block, deltas: [] }
  }
}
