import type { Encoded, Inexpressible, Target, UpstreamCodec } from '../canon/codec.ts'
import { withTextForms } from '../canon/foreign-shapes.ts'
import { Losses } from '../canon/losses.ts'
import { loseTheRest, textOfTurn } from '../canon/plain-talk.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeReply, openDecoder } from './wenxin-answer.ts'

/** Two-part keys of channel type 15 are for this interface; newer keys belong to Qianfan, which speaks OpenAI's dialect. */
export const wenxinUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'wenxin',
  encodeRequest,
  openDecoder,
  decodeReply,
})

const STOP_WORDS = 4
const LEAST_OUTPUT = 2
const MOST_OUTPUT = 2_048

/**
 * Wenxin's own interface, `wenxinworkshop/chat/{model}`, from before Qianfan adopted OpenAI's dialect. User and assistant alternate
 * and the user is first and last; temperature is above 0. The model is in the path. Source: Baidu's API V1.
 */
function encodeRequest(request: CanonRequest, { stream }: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const messages = encodeMessages(request, losses)
  if ('rule' in messages) return messages
  const { sampling, system, maxTokens } = request
  const { temperature, topP, stop = [] } = sampling
  if (stop.length > STOP_WORDS) losses.changed('stop')
  loseTheRest(request, { sampling: ['temperature', 'topP', 'stop'], maxTokens: true }, losses)
  const body = {
    messages,
    stream,
    ...(system.length === 0 ? {} : { system: system.map(({ text }) => text).join('\n') }),
    ...(temperature === undefined ? {} : { temperature: within(temperature, 0.01, 1, 'temperature', losses) }),
    ...(topP === undefined ? {} : { top_p: within(topP, 0, 1, 'top_p', losses) }),
    ...(stop.length === 0 ? {} : { stop: stop.slice(0, STOP_WORDS) }),
    ...(maxTokens === undefined
      ? {}
      : { max_output_tokens: within(maxTokens, LEAST_OUTPUT, MOST_OUTPUT, 'max_tokens', losses) }),
  }
  return { body, losses: losses.list() }
}

function encodeMessages({ turns }: CanonRequest, losses: Losses): readonly JsonObject[] | Inexpressible {
  const messages: { role: string; content: string }[] = []
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'tool') {
      return {
        field: `messages[${index}]`,
        rule: 'must not be a tool result: this provider API does not accept any',
      }
    }
    const text = textOfTurn(turn, index, losses)
    if (typeof text !== 'string') return text
    if (turn.role === 'system') losses.changed('messages[system]')
    const role = turn.role === 'assistant' ? 'assistant' : 'user'
    const last = messages.at(-1)
    if (last?.role === role) last.content += `\n${text}`
    else messages.push({ role, content: text })
  }
  if (messages[0]?.role !== 'user' || messages.at(-1)?.role !== 'user') {
    return { field: 'messages', rule: 'must begin and end with a user message' }
  }
  return messages
}

function within(value: number, least: number, most: number, name: string, losses: Losses): number {
  const kept = Math.min(Math.max(value, least), most)
  if (kept !== value) losses.changed(name)
  return kept
}
