import { asObject } from '../../src/json-value.ts'
import { type Message, messagesOf, type StreamOrder } from './stream-order.ts'

const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  redacted_thinking: [],
}

interface State {
  /** Type of the open block. */
  open: string | undefined
  blocks: number
  phase: 'before' | 'content' | 'delta' | 'over'
}

/** `message_start`, whole blocks one after the other, `message_delta`, `message_stop`; pings anywhere. */
export const anthropicOrder: StreamOrder = (frames) => {
  const messages = messagesOf(frames)
  if (messages.length !== frames.length) return 'an event is not an object'
  const state: State = { open: undefined, blocks: 0, phase: 'before' }
  for (const message of messages) {
    const fault = message.name === message.body['type'] ? step(message, state) : 'is named otherwise than its type'
    if (fault !== undefined) return `event ${message.at} (${message.name}): ${fault}`
  }
  return state.phase === 'over' ? undefined : 'no message_stop'
}

function step({ name, body }: Message, state: State): string | undefined {
  if (name === 'ping') return undefined
  if (state.phase === 'over') return 'follows message_stop'
  if ((name === 'message_start') !== (state.phase === 'before')) return 'message_start comes first and once'
  if (state.phase === 'delta' && name !== 'message_stop') return 'stands between message_delta and message_stop'
  switch (name) {
    case 'message_start':
      state.phase = 'content'
      return asObject(asObject(body['message'])?.['usage']) === undefined ? 'has no usage' : undefined
    case 'content_block_start':
      return startBlock(body['index'], asObject(body['content_block'])?.['type'], state)
    case 'content_block_delta': {
      if (state.open === undefined || body['index'] !== state.blocks - 1) return 'no such block is open'
      const type = String(asObject(body['delta'])?.['type'])
      return DELTAS[state.open]?.includes(type) === false ? `${type} in a block of ${state.open}` : undefined
    }
    case 'content_block_stop':
      if (state.open === undefined || body['index'] !== state.blocks - 1) return 'no such block is open'
      state.open = undefined
      return undefined
    case 'message_delta':
      if (state.open !== undefined) return 'a block is open'
      state.phase = 'delta'
      return typeof asObject(body['delta'])?.['stop_reason'] === 'string' ? undefined : 'has no stop_reason'
    case 'message_stop':
      if (state.phase !== 'delta') return 'no message_delta before'
      state.phase = 'over'
      return undefined
    default:
      return 'is unknown'
  }
}

function startBlock(index: unknown, type: unknown, state: State): string | undefined {
  if (state.open !== undefined) return `a block of ${state.open} is open`
  if (index !== state.blocks) return `has index ${String(index)} after ${state.blocks} blocks`
  state.open = String(type)
  state.blocks += 1
  return undefined
}
