import { asObject, type JsonObject } from '../../src/json-value.ts'
import { type Message, messagesOf, objects, type StreamOrder } from './stream-order.ts'

const ENDS = ['response.completed', 'response.incomplete', 'response.failed']

interface State {
  /** Open items by output index. */
  readonly open: Map<unknown, JsonObject>
  /** Text from deltas, by item and kind of delta. */
  readonly grown: Map<string, string>
  /** Finished items by output index. */
  readonly done: Map<unknown, JsonObject>
  items: number
  over: boolean
}

/** Numbered events, items opened and closed, `done` events that repeat their deltas, the whole answer at the end. */
export const responsesOrder: StreamOrder = (frames) => {
  const messages = messagesOf(frames)
  if (messages.length !== frames.length) return 'an event is not an object'
  const state: State = { open: new Map(), grown: new Map(), done: new Map(), items: 0, over: false }
  for (const message of messages) {
    const fault = numberFault(message) ?? step(message, state)
    if (fault !== undefined) return `event ${message.at} (${message.name}): ${fault}`
  }
  return state.over ? undefined : 'no end'
}

function numberFault({ at, name, body }: Message): string | undefined {
  if (body['type'] !== name) return 'is named otherwise than its type'
  if (body['sequence_number'] !== at) return `has number ${String(body['sequence_number'])}`
  return (name === 'response.created') === (at === 0) ? undefined : 'response.created comes first and once'
}

function step({ name, body }: Message, state: State): string | undefined {
  if (state.over) return 'follows the end'
  if (ENDS.includes(name)) return endFault(body, state)
  switch (name) {
    case 'response.created':
    case 'response.in_progress':
      return undefined
    case 'response.output_item.added':
      if (body['output_index'] !== state.items)
        return `has index ${String(body['output_index'])} after ${state.items} items`
      state.open.set(state.items, asObject(body['item']) ?? {})
      state.items += 1
      return undefined
    case 'response.output_item.done': {
      const item = asObject(body['item']) ?? {}
      const opened = state.open.get(body['output_index'])
      if (opened === undefined || opened['id'] !== item['id'] || opened['type'] !== item['type'])
        return 'no such item is open'
      state.open.delete(body['output_index'])
      state.done.set(body['output_index'], item)
      return undefined
    }
    default:
      return partFault(name, body, state)
  }
}

function partFault(name: string, body: JsonObject, state: State): string | undefined {
  const item = state.open.get(body['output_index'])
  if (item === undefined || item['id'] !== body['item_id']) return 'no such item is open'
  const key = `${String(body['item_id'])} ${String(body['content_index'] ?? body['summary_index'])} ${name.replace(/\.(delta|done)$/, '')}`
  if (name.endsWith('.delta')) {
    state.grown.set(key, (state.grown.get(key) ?? '') + String(body['delta']))
    return undefined
  }
  const whole = body['text'] ?? body['arguments'] ?? body['refusal'] ?? body['input']
  if (!name.endsWith('.done') || typeof whole !== 'string') return undefined
  return whole === (state.grown.get(key) ?? '') ? undefined : 'says another whole than its deltas'
}

function endFault(body: JsonObject, state: State): string | undefined {
  state.over = true
  if (state.open.size > 0) return 'an item is open'
  const output = objects(asObject(body['response'])?.['output'])
  const done = output.map((_, index) => state.done.get(index))
  const isSame = state.done.size === output.length && JSON.stringify(output) === JSON.stringify(done)
  return isSame ? undefined : 'holds other items than were done'
}
