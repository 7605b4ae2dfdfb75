import type { AnswerDecoder, Encoded, FollowUp, Inexpressible, Target, UpstreamCodec } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { withTextForms } from '../canon/foreign-shapes.ts'
import { Losses } from '../canon/losses.ts'
import { loseTheRest, textOfTurn } from '../canon/plain-talk.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { failureOf, followUpOf, outputOf, WAIT_HEADERS } from './replicate-prediction.ts'

/**
 * Language models on Replicate: one prompt in, one text out. Replicate answers with a prediction that must be polled; its own
 * stream is at another address for each prediction, so an answer arrives whole. No usage is reported. Source: Replicate's HTTP API.
 */
export const replicateUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'replicate',
  encodeRequest,
  openDecoder,
  decodeReply,
  followUp: (reply: JsonObject): FollowUp | undefined => followUpOf(reply),
})

function encodeRequest(request: CanonRequest, { takes, defaultMaxTokens }: Target): Encoded | Inexpressible {
  const losses = new Losses()
  const prompt = promptOf(request, losses)
  if (typeof prompt !== 'string') return prompt
  const { sampling, system, maxTokens } = request
  const stop = sampling.stop ?? []
  // Stop words are sent as one text, separated by commas.
  if (stop.some((text) => text.includes(','))) losses.changed('stop')
  loseTheRest(
    request,
    {
      sampling: ['temperature', 'topP', 'topK', 'stop', 'seed', 'presencePenalty', 'frequencyPenalty'],
      maxTokens: true,
    },
    losses,
  )
  const input = {
    prompt,
    ...(system.length === 0 ? {} : { system_prompt: system.map((part) => part.text).join('\n') }),
    max_tokens: maxTokens ?? Math.min(defaultMaxTokens, takes.maxOutput ?? defaultMaxTokens),
    ...defined('temperature', sampling.temperature),
    ...defined('top_p', sampling.topP),
    ...defined('top_k', sampling.topK),
    ...defined('seed', sampling.seed),
    ...defined('presence_penalty', sampling.presencePenalty),
    ...defined('frequency_penalty', sampling.frequencyPenalty),
    ...(stop.length === 0 ? {} : { stop_sequences: stop.join(',') }),
  }
  return { body: { input }, losses: losses.list(), headers: WAIT_HEADERS }
}

/** A single message is sent unchanged; several are each sent with their speaker. */
function promptOf({ turns }: CanonRequest, losses: Losses): string | Inexpressible {
  const said: string[] = []
  for (const [index, turn] of turns.entries()) {
    if (turn.role === 'tool')
      return { field: `messages[${index}]`, rule: 'must not be a tool result: the provider does not accept any' }
    const text = textOfTurn(turn, index, losses)
    if (typeof text !== 'string') return text
    said.push(turns.length === 1 ? text : `${turn.role === 'assistant' ? 'Assistant' : 'User'}: ${text}`)
  }
  if (turns.length > 1) losses.changed('messages')
  return turns.length > 1 ? `${said.join('\n\n')}\n\nAssistant:` : said.join('')
}

const defined = (name: string, value: number | undefined) => (value === undefined ? {} : { [name]: value })

function decodeReply(reply: JsonObject): readonly AnswerEvent[] {
  const error = failureOf(reply)
  if (error !== undefined) return [{ type: 'error', error }]
  const text = outputOf(reply)
  if (text === undefined) return []
  return [
    { type: 'start', id: typeof reply['id'] === 'string' ? reply['id'] : '', model: '' },
    { type: 'text', block: 0, delta: text.join('') },
    { type: 'block-end', block: 0 },
    { type: 'finish', reason: 'stop', raw: 'succeeded' },
  ]
}

/** Streaming is never requested. */
function openDecoder(): AnswerDecoder {
  return { push: () => [], end: () => [] }
}
