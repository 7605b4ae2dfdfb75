import { asObject, type JsonObject } from '../../src/json-value.ts'
import { type Message, messagesOf, objects, type StreamOrder } from './stream-order.ts'

/** One id, the role first, calls by rising index with their names first, one finish, usage, `[DONE]`. */
export const chatOrder: StreamOrder = (frames) => {
  if (frames.at(-1)?.data !== '[DONE]') return 'does not end with [DONE]'
  const chunks = messagesOf(frames.slice(0, -1))
  if (chunks.length !== frames.length - 1) return 'a chunk is not an object'
  const state: State = { calls: 0, finished: false, counted: false }
  for (const chunk of chunks) {
    const fault = faultOf(chunk, chunks[0]?.body['id'], state)
    if (fault !== undefined) return `chunk ${chunk.at}: ${fault}`
  }
  return state.finished ? undefined : 'no finish_reason'
}

interface State {
  calls: number
  finished: boolean
  counted: boolean
}

function faultOf({ at, body }: Message, id: unknown, state: State): string | undefined {
  if (body['object'] !== 'chat.completion.chunk') return 'is no chat.completion.chunk'
  if (typeof id !== 'string' || id === '' || body['id'] !== id) return 'has another id'
  if (state.counted) return 'follows the usage'
  const [choice] = objects(body['choices'])
  if (choice === undefined) {
    state.counted = asObject(body['usage']) !== undefined
    return state.finished ? undefined : 'has no choice before the finish'
  }
  if (state.finished) return 'has a choice after the finish'
  const delta = asObject(choice['delta'])
  if (delta === undefined) return 'has no delta'
  if (at === 0 && delta['role'] !== 'assistant') return 'does not say who speaks'
  state.finished = typeof choice['finish_reason'] === 'string'
  return callsFault(delta, state)
}

function callsFault(delta: JsonObject, state: State): string | undefined {
  for (const call of objects(delta['tool_calls'])) {
    const index = call['index']
    if (typeof index !== 'number' || index > state.calls) return `has a call of index ${String(index)}`
    const isNew = index === state.calls
    const said = asObject(call['function']) ?? asObject(call['custom'])
    if (isNew !== (typeof call['id'] === 'string')) return 'has an id in a piece other than the first of a call'
    if (isNew && typeof said?.['name'] !== 'string') return 'has a call without a name'
    if (isNew) state.calls += 1
  }
  return undefined
}
