import {
  type AnswerDecoder,
  type Encoded,
  type Frame,
  type Inexpressible,
  isInexpressible,
  type Target,
  type UpstreamCodec,
} from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { Losses } from '../canon/losses.ts'
import type { CanonRequest } from '../canon/request.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { chatUpstreamCodec } from '../openai-chat/codec.ts'
import type { Quirk } from '../openai-chat/quirks/quirk.ts'

/**
 * Hunyuan's own interface, `ChatCompletions` of version 2023-09-01: OpenAI's chat with other spellings of names; whole replies and
 * errors are inside `Response`. Source: Tencent Cloud API 3.0, Hunyuan.
 */
export const tencentUpstreamCodec: UpstreamCodec = {
  dialect: 'openai-chat',
  encodeRequest,
  openDecoder,
  decodeReply,
}

const QUIRKS: readonly Quirk[] = [
  'no-developer',
  'no-custom-tools',
  'no-store',
  'no-strict-tools',
  'max-tokens-only',
  'takes-reasoning',
]
const FIELDS: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'temperature', 'top_p', 'stop', 'seed'])
/** Members outside `FIELDS` whose omission is not a loss: usage is sent unasked, and tools are translated below. */
const UNSAID: ReadonlySet<string> = new Set(['stream_options', 'tools', 'tool_choice'])

function encodeRequest(request: CanonRequest, target: Target): Encoded | Inexpressible {
  const encoded = chatUpstreamCodec.encodeRequest(request, { ...target, quirks: QUIRKS })
  if (isInexpressible(encoded)) return encoded
  const losses = new Losses()
  for (const { what, became } of encoded.losses) losses[became](what)
  for (const name of Object.keys(encoded.body)) if (!FIELDS.has(name) && !UNSAID.has(name)) losses.dropped(name)
  const { messages, tools, tool_choice: choice, ...rest } = encoded.body
  const known = Object.fromEntries(Object.entries(rest).filter(([name]) => FIELDS.has(name)))
  const isWord = choice === 'auto' || choice === 'none'
  if (choice !== undefined && !isWord) losses.dropped('tool_choice')
  const body = {
    ...asObject(tencentSpelling({ ...known, ...(isWord ? { tool_choice: choice } : {}) })),
    Messages: Array.isArray(messages) ? messages.map(encodeMessage) : [],
    ...(Array.isArray(tools) ? { Tools: tools.map(encodeTool) } : {}),
  }
  return { body, losses: losses.list() }
}

/** Lists of parts go into a separate member. */
function encodeMessage(message: unknown): unknown {
  const { content, ...rest } = asObject(message) ?? {}
  const said = Array.isArray(content) ? { contents: content } : { content: content ?? '' }
  return tencentSpelling({ ...rest, ...said })
}

/** Schemas are given as text. */
function encodeTool(tool: unknown): JsonObject {
  const { name, description, parameters } = asObject(asObject(tool)?.['function']) ?? {}
  const described = description === undefined ? {} : { Description: description }
  return { Type: 'function', Function: { Name: name, ...described, Parameters: JSON.stringify(parameters ?? {}) } }
}

function openDecoder(): AnswerDecoder {
  const inner = chatUpstreamCodec.openDecoder()
  return {
    push: ({ name, data }: Frame) => {
      const frame = asObject(parseJson(data))
      return inner.push({ name, data: frame === undefined ? data : JSON.stringify(unwrapped(frame)) })
    },
    end: () => inner.end(),
  }
}

function decodeReply(reply: JsonObject): readonly AnswerEvent[] {
  return chatUpstreamCodec.decodeReply(unwrapped(reply))
}

/** `{Response: {Error}}` and, in streams, `{ErrorMsg: {Msg, Code}}` are errors. */
function unwrapped(reply: JsonObject): JsonObject {
  const { error_msg: inside, ...rest } = openAiSpelling(asObject(reply['Response']) ?? reply)
  const { msg, code } = asObject(inside) ?? {}
  return typeof msg === 'string' ? { error: { message: msg, code } } : rest
}

/** `tool_call_id` → `ToolCallId`, on every level. Names inside texts, such as tool arguments, stay unchanged. */
function tencentSpelling(value: unknown): unknown {
  return respell(value, (name) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
}

/** `ToolCallId` → `tool_call_id`, on every level. */
function openAiSpelling(value: JsonObject): JsonObject {
  return asObject(respell(value, (name) => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase())) ?? {}
}

function respell(value: unknown, spell: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => respell(item, spell))
  const object = asObject(value)
  if (object === undefined) return value
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [spell(name), respell(member, spell)]))
}
