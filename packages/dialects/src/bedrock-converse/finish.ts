import type { AnswerEvent, FinishReason } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'

const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  guardrail_intervened: 'content-filter',
  content_filtered: 'content-filter',
}

/**
 * The end that a `stopReason` means: in a stream's `messageStop`, or in a whole reply. The model's own mistakes
 * (`malformed_tool_use`, `malformed_model_output`) are errors: what came before is not an answer.
 */
export function finishOf(message: JsonObject): AnswerEvent & { readonly type: 'finish' | 'error' } {
  const raw = typeof message['stopReason'] === 'string' ? message['stopReason'] : ''
  if (raw.startsWith('malformed_')) {
    const text = `the model’s answer is malformed (${raw})`
    return { type: 'error', error: { message: text, type: raw, code: 502, param: undefined } }
  }
  const fields = asObject(message['additionalModelResponseFields'])
  const given = fields?.['stop_sequence'] ?? asObject(fields?.['delta'])?.['stop_sequence']
  return {
    type: 'finish',
    reason: Object.hasOwn(REASONS, raw) ? (REASONS[raw] ?? 'stop') : 'stop',
    raw,
    ...(typeof given === 'string' ? { stopSequence: given } : {}),
  }
}
