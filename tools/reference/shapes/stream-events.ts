import { messagesUpstreamCodec } from '../../../packages/dialects/src/anthropic/codec.ts'
import type { AnswerEvent } from '../../../packages/dialects/src/canon/events.ts'
import { asObject, asText, type JsonObject } from '../../../packages/dialects/src/json-value.ts'
import { responsesUpstreamCodec } from '../../../packages/dialects/src/openai-responses/codec.ts'
import type { VendorShape } from './read-shapes.ts'

/** Fate of a provider's stream event. `read`: it reaches clients. `repeated`: another event has the same content, and is read. */
export type EventOutcome = 'read' | 'repeated' | 'unknown'

/**
 * Events that only show the progress of an item, which arrives whole with `response.output_item.done`. The last ones are for
 * requests that clients of other dialects cannot make, such as for audio from a dialect without audio.
 */
const REPEATED =
  /^response\.(?:(?:code_interpreter_call|compaction|file_search_call|web_search_call|image_generation_call|mcp_call|mcp_list_tools|shell_call)[._]|(?:content_part|reasoning_summary_part)\.|output_item\.added$|reasoning_(?:summary_)?text\.done$|audio\.)/

export function eventOutcome({ place, sample, name }: VendorShape): EventOutcome {
  const event = asObject(sample) ?? {}
  const heard = place === 'openai-responses stream event' ? inResponse(event) : inMessage(place, event)
  return heard.length > 0 ? 'read' : REPEATED.test(name) ? 'repeated' : 'unknown'
}

/** What a client learns from the event after its item has begun. */
function inResponse(event: JsonObject): readonly AnswerEvent[] {
  const decoder = responsesUpstreamCodec.openDecoder()
  const type = asText(event['type'])
  const push = (pushed: JsonObject) => decoder.push({ name: '', data: JSON.stringify(pushed) })
  const calls = type.includes('custom_tool_call')
    ? 'custom_tool_call'
    : type.includes('function_call')
      ? 'function_call'
      : undefined
  const started = { type: 'response.output_item.added', output_index: event['output_index'] }
  if (calls !== undefined) push({ ...started, item: { type: calls, call_id: 'c', name: 'f' } })
  // A source belongs to a text, which must have begun.
  const annotation = { type: 'url_citation', url: 'https://example.com' }
  if (type.includes('annotation')) push({ ...event, type: 'response.output_text.delta', delta: 'cited' })
  const heard = push(type.includes('annotation') ? { ...event, annotation } : event)
  const whole = calls === undefined ? {} : { item: { type: calls, call_id: 'c', name: 'f', ...event } }
  return type.endsWith('_arguments.done') || type.endsWith('_input.done')
    ? push({ ...started, type: 'response.output_item.done', ...whole })
    : heard
}

/** The same in a message, whose blocks are numbered; some content is only known at the end of a block. */
function inMessage(place: string, event: JsonObject): readonly AnswerEvent[] {
  const decoder = messagesUpstreamCodec.openDecoder()
  const push = (pushed: JsonObject) => decoder.push({ name: '', data: JSON.stringify(pushed) })
  const isDelta = place === 'anthropic-messages stream delta'
  const delta = isDelta ? event : (asObject(event['delta']) ?? {})
  const block = BLOCKS[asText(delta['type'])] ?? 'text'
  if (event['type'] === 'message_start') return push(event)
  push({ type: 'message_start', message: { type: 'message', role: 'assistant', content: [] } })
  const begin = {
    type: 'content_block_start',
    index: event['index'] ?? 0,
    content_block: { type: block, id: 'c', name: 'f' },
  }
  if (isDelta || /content_block_(?:delta|stop)/.test(asText(event['type']))) push(begin)
  if (event['type'] === 'content_block_stop')
    push({ type: 'content_block_delta', index: event['index'], delta: { type: 'text_delta', text: 'x' } })
  const heard = isDelta ? push({ type: 'content_block_delta', index: 0, delta: event }) : push(event)
  return [
    ...heard,
    ...(isDelta ? push({ type: 'content_block_stop', index: 0 }).filter(({ type }) => type !== 'block-end') : []),
  ]
}

const BLOCKS: Readonly<Record<string, string>> = {
  input_json_delta: 'tool_use',
  thinking_delta: 'thinking',
  signature_delta: 'thinking',
  compaction_delta: 'compaction',
}
