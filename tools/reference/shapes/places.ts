import { asList, asObject, asText, type JsonObject } from '../../../packages/dialects/src/json-value.ts'
import type { VendorShape } from './read-shapes.ts'
import type { Place } from './vendor-unions.ts'

/** A request of the shape's dialect that contains it, where clients put it. */
export function requestWith({ place, name, sample, type }: VendorShape): JsonObject {
  const shape = asObject(sample) ?? {}
  switch (place) {
    case 'openai-chat message':
      return chat(...aroundMessage(name, shape))
    case 'openai-chat content part':
      return chat({ role: 'user', content: [shape] })
    case 'openai-chat tool':
      return { ...chat(), tools: [shape] }
    case 'openai-chat tool choice':
      return {
        ...chat(),
        tools: [{ type: 'function', function: { name: 'word1x' } }],
        tool_choice: choice(shape, sample),
      }
    case 'openai-responses input item':
      return responses(...around(shape))
    case 'openai-responses content part':
      return responses({ role: 'user', content: [shape] })
    case 'openai-responses content of a tool output':
      return responses(...around({ type: 'function_call_output', call_id: 'id_1', output: [shape] }))
    case 'openai-responses tool':
      return { ...responses(), tools: [shape] }
    case 'openai-responses tool choice':
      return { ...responses(), tools: [{ type: 'function', name: 'word1x' }], tool_choice: choice(shape, sample) }
    case 'anthropic-messages content block':
      return messages(
        ...aroundBlock(
          shape,
          /^(?:Beta)?(?:Request)?(?:Image|Document|SearchResult|ContainerUpload|Tool(?:Addition|Removal))/.test(type),
        ),
      )
    case 'anthropic-messages content of a tool result':
      return messages(...aroundBlock({ type: 'tool_result', tool_use_id: 'id_1', content: [shape] }, true))
    case 'anthropic-messages source of a document':
      return messages({ role: 'user', content: [{ type: 'document', source: shape }] })
    case 'anthropic-messages citation':
      return messages({ role: 'assistant', content: [{ type: 'text', text: 'cited', citations: [shape] }] })
    case 'anthropic-messages tool':
      return { ...messages(), tools: [shape] }
    case 'anthropic-messages tool choice':
      return { ...messages(), tools: [{ name: 'word1x', input_schema: { type: 'object' } }], tool_choice: shape }
    case 'gemini part':
      return gemini(...aroundPart(whole(shape)))
    case 'gemini part of a function response':
      return gemini(
        ...aroundPart({ functionResponse: { id: 'id_1', name: 'f', response: {}, parts: [whole(shape, MEDIA)] } }),
      )
    case 'gemini tool':
      return { ...gemini(), tools: [shape] }
    default:
      throw new Error(`${place} is not of a request`)
  }
}

/** A whole answer of the shape's dialect that contains it. */
export function answerWith({ place, sample }: Pick<VendorShape, 'place' | 'sample'>): JsonObject {
  const shape = asObject(sample) ?? {}
  switch (place) {
    case 'openai-chat call':
      return {
        id: 'x',
        choices: [{ index: 0, message: { role: 'assistant', tool_calls: [shape] }, finish_reason: 'tool_calls' }],
      }
    case 'openai-responses output item':
      return response(shape)
    case 'openai-responses output content':
      return response(message([shape]))
    case 'openai-responses annotation':
      return response(message([{ type: 'output_text', text: 'cited', annotations: [shape] }]))
    case 'anthropic-messages answer block':
      return { type: 'message', role: 'assistant', content: [shape], stop_reason: 'end_turn' }
    case 'anthropic-messages answer citation':
      return {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'cited', citations: [shape] }],
        stop_reason: 'end_turn',
      }
    case 'gemini answer part':
      return { candidates: [{ index: 0, content: { role: 'model', parts: [whole(shape)] }, finishReason: 'STOP' }] }
    default:
      throw new Error(`${place} is not of a whole answer`)
  }
}

/** The answer's stream events, as the provider's own servers send them; undefined if a stream consists of the same objects. */
export function streamWith(place: Place, answer: JsonObject): readonly JsonObject[] | undefined {
  if (place === 'openai-responses output item') {
    const [item] = asList(answer['output'])
    const place = { output_index: 0, item }
    return [
      { type: 'response.output_item.added', ...place },
      { type: 'response.output_item.done', ...place },
      { type: 'response.completed', response: answer },
    ]
  }
  if (place === 'anthropic-messages answer block') {
    const [block] = asList(answer['content'])
    return [
      { type: 'message_start', message: { ...answer, content: [] } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]
  }
  return place === 'gemini answer part' ? [answer] : undefined
}

const chat = (...turns: readonly JsonObject[]): JsonObject => ({
  model: 'm',
  messages: [{ role: 'user', content: 'hello' }, ...turns],
})
const responses = (...items: readonly JsonObject[]): JsonObject => ({
  model: 'm',
  input: [{ role: 'user', content: 'hello' }, ...items],
})
const messages = (...turns: readonly JsonObject[]): JsonObject => ({
  model: 'm',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'hello' }, ...turns],
})
const gemini = (...turns: readonly JsonObject[]): JsonObject => ({
  contents: [{ role: 'user', parts: [{ text: 'hello' }] }, ...turns],
})
const response = (...output: readonly JsonObject[]): JsonObject => ({
  id: 'r',
  object: 'response',
  status: 'completed',
  model: 'm',
  output,
})
const message = (content: readonly JsonObject[]): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content,
})

function aroundMessage(role: string, shape: JsonObject): readonly JsonObject[] {
  const call = { name: asText(shape['name']) || 'f', arguments: '{}' }
  const said = { role: 'assistant', content: null }
  if (role === 'function') return [{ ...said, function_call: call }, shape]
  return role === 'tool'
    ? [{ ...said, tool_calls: [{ id: 'id_1', type: 'function', function: call }] }, shape]
    : [shape]
}

const choice = (shape: JsonObject, sample: unknown): unknown => (typeof sample === 'string' ? sample : shape)

/** Completes a call with its result, and a result with its call. */
function around(item: JsonObject): readonly JsonObject[] {
  switch (item['type']) {
    case 'function_call':
      return [item, { type: 'function_call_output', call_id: 'id_1', output: 'done' }]
    case 'custom_tool_call':
      return [item, { type: 'custom_tool_call_output', call_id: 'id_1', output: 'done' }]
    case 'function_call_output':
      return [{ type: 'function_call', call_id: 'id_1', name: 'f', arguments: '{}', ...named(item) }, item]
    case 'custom_tool_call_output':
      return [{ type: 'custom_tool_call', call_id: 'id_1', name: 'f', input: 'x' }, item]
    default:
      return [item]
  }
}

/** The names of the call, if its output repeats them. */
const named = ({ name, namespace }: JsonObject): JsonObject => ({
  ...(name === undefined ? {} : { name }),
  ...(namespace === undefined ? {} : { namespace }),
})

function aroundBlock(block: JsonObject, isOfUser: boolean): readonly JsonObject[] {
  const said = (role: string, ...content: readonly JsonObject[]) => ({ role, content })
  const call = { type: 'tool_use', id: 'id_1', name: 'f', input: {} }
  switch (block['type']) {
    case 'tool_use':
      return [said('assistant', block), said('user', { type: 'tool_result', tool_use_id: 'id_1', content: 'done' })]
    case 'tool_result':
      return [said('assistant', call), said('user', block)]
    default:
      return [said(isOfUser ? 'user' : 'assistant', block)]
  }
}

function aroundPart(part: JsonObject): readonly JsonObject[] {
  const said = (role: string, ...parts: readonly JsonObject[]) => ({ role, parts })
  if ('functionResponse' in part) {
    const { name } = asObject(part['functionResponse']) ?? {}
    return [said('model', { functionCall: { id: 'id_1', name: asText(name), args: {} } }), said('user', part)]
  }
  return [
    said(
      /functionCall|executableCode|codeExecutionResult|tool|thought/.test(Object.keys(part).join()) ? 'model' : 'user',
      part,
    ),
  ]
}

const MEDIA: JsonObject = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
/** Members of a part that describe its other content. */
const BESIDE = /^(?:mediaResolution|mediaProcessing|thought|thoughtSignature|\w+Metadata)$/

function whole(part: JsonObject, content: JsonObject = { text: 'beside' }): JsonObject {
  return Object.keys(part).every((name) => BESIDE.test(name)) ? { ...content, ...part } : part
}
