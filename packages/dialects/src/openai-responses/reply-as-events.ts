import { asObject, type JsonObject } from '../json-value.ts'

type Event = JsonObject & { readonly type: string }

/** A whole response as a stream, because some providers ignore `stream: true`. Each item is one piece, with its deltas. */
export function responseAsEvents(response: JsonObject): Uint8Array {
  const events: Event[] = []
  const unanswered = { ...response, status: 'in_progress', output: [], usage: null }
  events.push(
    { type: 'response.created', response: unanswered },
    { type: 'response.in_progress', response: unanswered },
  )
  for (const [index, value] of asList(response['output']).entries()) {
    const item = asObject(value) ?? {}
    const place = { output_index: index }
    events.push({ type: 'response.output_item.added', ...place, item: begun(item) })
    events.push(...insideOf(item, { item_id: item['id'], ...place }))
    events.push({ type: 'response.output_item.done', ...place, item })
  }
  const end = response['status'] === 'incomplete' ? 'response.incomplete' : 'response.completed'
  events.push({ type: end, response })
  const text = events.map((event, at) => `event: ${event.type}\ndata: ${JSON.stringify(numbered(event, at))}\n\n`)
  return new TextEncoder().encode(text.join(''))
}

/** Omits the content that the deltas carry, because clients add those up. */
function begun(item: JsonObject): JsonObject {
  switch (item['type']) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] }
    case 'reasoning':
      return { ...item, summary: [] }
    case 'function_call':
      return { ...item, status: 'in_progress', arguments: '' }
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' }
    default:
      return item
  }
}

function insideOf(item: JsonObject, place: JsonObject): readonly Event[] {
  switch (item['type']) {
    case 'message':
      return asList(item['content']).flatMap((part, at) =>
        ofPart(asObject(part) ?? {}, { ...place, content_index: at }),
      )
    case 'reasoning':
      return asList(item['summary']).flatMap((value, at) => {
        const part = asObject(value) ?? {}
        return around('response.reasoning_summary', part, { ...place, summary_index: at }, 'text')
      })
    case 'function_call':
      return [
        { type: 'response.function_call_arguments.delta', ...place, delta: item['arguments'] },
        { type: 'response.function_call_arguments.done', ...place, name: item['name'], arguments: item['arguments'] },
      ]
    case 'custom_tool_call':
      return [
        { type: 'response.custom_tool_call_input.delta', ...place, delta: item['input'] },
        { type: 'response.custom_tool_call_input.done', ...place, input: item['input'] },
      ]
    default:
      return []
  }
}

function ofPart(part: JsonObject, place: JsonObject): readonly Event[] {
  return part['type'] === 'refusal'
    ? around('response.refusal', part, place, 'refusal')
    : around('response.output_text', part, place, 'text')
}

/** A part: its beginning, its text in one delta, its end. */
function around(
  name: 'response.output_text' | 'response.refusal' | 'response.reasoning_summary',
  part: JsonObject,
  place: JsonObject,
  member: 'text' | 'refusal',
): readonly Event[] {
  const isSummary = name === 'response.reasoning_summary'
  const frame = isSummary ? 'response.reasoning_summary_part' : 'response.content_part'
  const text = isSummary ? 'response.reasoning_summary_text' : name
  const logprobs = name === 'response.output_text' ? { logprobs: [] } : {}
  return [
    { type: `${frame}.added`, ...place, part: { ...part, [member]: '' } },
    { type: `${text}.delta`, ...place, delta: part[member], ...logprobs },
    { type: `${text}.done`, ...place, [member]: part[member], ...logprobs },
    { type: `${frame}.done`, ...place, part },
  ]
}

const numbered = ({ type, ...rest }: Event, sequence: number) => ({ type, sequence_number: sequence, ...rest })

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
