import { type ClientCodec, isInexpressible, type UpstreamCodec } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { withTextForms, withTextOfShapes } from '../canon/foreign-shapes.ts'
import type { JsonObject } from '../json-value.ts'
import { count, tokenCounts } from '../usage/counts.ts'
import { decodeReply, openDecoder } from './decode-answer.ts'
import { decodeRequest } from './decode-request.ts'
import { openEncoder } from './encode-answer.ts'
import { encodeReply } from './encode-reply.ts'
import { encodeRequest } from './encode-request.ts'

export const messagesClientCodec: ClientCodec = withTextOfShapes({
  dialect: 'anthropic-messages',
  decodeRequest,
  openEncoder,
  encodeReply,
})

/** For Anthropic, Claude on Bedrock and Vertex AI, and compatible servers. */
export const messagesUpstreamCodec: UpstreamCodec = withTextForms({
  dialect: 'anthropic-messages',
  encodeRequest,
  openDecoder,
  decodeReply,
})

/** Prompt members of a message; Anthropic refuses all others when counting. */
const COUNTED: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'mcp_servers',
])

/** `/v1/messages/count_tokens` for clients of other dialects: the count becomes the usage of an empty answer. */
export const messagesCountCodec: UpstreamCodec = {
  ...messagesUpstreamCodec,
  encodeRequest: (request, target) => {
    const encoded = messagesUpstreamCodec.encodeRequest(request, target)
    if (isInexpressible(encoded)) return encoded
    const counted = Object.entries(encoded.body).filter(([name]) => COUNTED.has(name))
    return { ...encoded, body: Object.fromEntries(counted) }
  },
  decodeReply: (reply) => {
    const input = count(reply['input_tokens'])
    return input === undefined ? messagesUpstreamCodec.decodeReply(reply) : sized(reply, input)
  },
}

function sized(reply: JsonObject, input: number): readonly AnswerEvent[] {
  return [
    { type: 'start', id: '', model: '' },
    { type: 'usage', report: { counts: tokenCounts({ input }), reportedNanoUsd: undefined, own: reply } },
    { type: 'finish', reason: 'stop', raw: '' },
  ]
}
