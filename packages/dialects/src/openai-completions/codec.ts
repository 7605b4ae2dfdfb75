import type { BodyRefusal } from '../body-refusal.ts'
import type { AnswerContext, AnswerEncoder, ClientCodec, EncodedEnd } from '../canon/codec.ts'
import type { ContentEvent, FinishEvent, FinishReason, StartEvent } from '../canon/events.ts'
import { FieldReader, othersThan } from '../canon/field-reader.ts'
import { withTextOfShapes } from '../canon/foreign-shapes.ts'
import type { CanonReply } from '../canon/reply.ts'
import type { CanonRequest } from '../canon/request.ts'
import { doneEvent } from '../canon/upstream-error.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeCap, decodeSampling } from '../openai-chat/decode-sampling.ts'
import { encodeUsage } from '../openai-chat/encode-usage.ts'
import { encodeFinish } from '../openai-chat/finish.ts'
import type { TokenCounts } from '../token-counts.ts'

/** For clients of the older `/v1/completions`: the prompt becomes a user message. Answers contain no reasoning and no tools. */
export const completionsClientCodec: ClientCodec = withTextOfShapes({
  dialect: 'openai-chat',
  decodeRequest,
  openEncoder: openCompletionEncoder,
  encodeReply,
})

/** Members that are read here; all others are listed as lost. */
const READ: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'suffix',
  'stream',
  'stream_options',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'n',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'logit_bias',
  'user',
])

/** Values that mean the same as leaving the member out. */
const IDLE: Readonly<Record<string, unknown>> = { echo: false, best_of: 1 }

function decodeRequest(body: JsonObject): CanonRequest | BodyRefusal {
  const read = new FieldReader()
  const prompt = decodePrompt(read, body['prompt'])
  if (read.text(body['suffix'], 'suffix')) {
    read.refuse('suffix', 'must not be set: this model cannot insert text before a suffix')
  }
  const logprobs = read.whole(body['logprobs'], 'logprobs')
  const request: CanonRequest = {
    model: read.needText(body['model'], 'model'),
    stream: read.flag(body['stream'], 'stream') ?? false,
    system: [],
    turns: [{ role: 'user', parts: [{ kind: 'text', text: prompt }] }],
    tools: [],
    builtins: [],
    maxTokens: decodeCap(read, body),
    sampling: {
      ...decodeSampling(read, { ...body, logprobs: undefined }),
      ...(logprobs === undefined ? {} : { logprobs: true, topLogprobs: logprobs }),
    },
    user: read.text(body['user'], 'user'),
    // Listed by paths that no dialect has: the request is sent as chat, which has none of these fields.
    extra: { dialect: 'openai-chat', fields: asPaths(othersThan(body, READ)) },
  }
  return read.refusal ?? request
}

/** One text, or a list of one. */
function decodePrompt(read: FieldReader, prompt: unknown): string {
  const [only, ...more] = Array.isArray(prompt) ? (prompt as readonly unknown[]) : [prompt]
  if (more.length > 0 && typeof only === 'string') {
    read.refuse('prompt', 'must be a single text: this model answers one conversation per request')
  } else if (typeof only !== 'string') read.refuse('prompt', 'must be text: this model does not accept token ids')
  return typeof only === 'string' ? only : ''
}

function asPaths(fields: JsonObject): JsonObject {
  const said = Object.entries(fields).filter(([name, value]) => IDLE[name] !== value)
  return Object.fromEntries(said.map(([name, value]) => [`completions.${name}`, value]))
}

/** In this dialect a chunk looks like a reply: `text_completion`. */
function openCompletionEncoder(context: AnswerContext): AnswerEncoder {
  const utf8 = new TextEncoder()
  const written = (message: JsonObject) => utf8.encode(`data: ${JSON.stringify(message)}\n\n`)
  const chunk = (text: string, reason?: FinishReason) =>
    written({ ...headOf(context), choices: [choiceOf(text, reason)] })
  return {
    push(event: StartEvent | ContentEvent): readonly Uint8Array[] {
      return event.type === 'text' || event.type === 'refusal' ? [chunk(event.delta)] : []
    },
    finish({ reason }: FinishEvent, usage: TokenCounts | undefined): EncodedEnd {
      const encoded =
        context.wantsUsage && usage !== undefined
          ? [written({ ...headOf(context), choices: [], usage: encodeUsage(usage) })]
          : []
      return { forward: [chunk('', reason), ...encoded], terminal: doneEvent() }
    },
  }
}

function encodeReply({ blocks, finish, usage }: CanonReply, context: AnswerContext): JsonObject {
  const texts = blocks.map((block) => (block.kind === 'text' || block.kind === 'refusal' ? block.text : ''))
  return {
    ...headOf(context),
    choices: [choiceOf(texts.join(''), finish?.reason ?? 'stop')],
    ...(usage?.counts === undefined ? {} : { usage: encodeUsage(usage.counts) }),
  }
}

function headOf({ idSeed, created, request }: AnswerContext): JsonObject {
  return { id: `cmpl-${idSeed}`, object: 'text_completion', created, model: request.model }
}

/** Tools cannot be called here, so an answer with calls simply stops. */
function choiceOf(text: string, reason: FinishReason | undefined): JsonObject {
  const finish = reason === undefined ? null : encodeFinish(reason === 'tool-calls' ? 'stop' : reason, false)
  return { text, index: 0, logprobs: null, finish_reason: finish }
}
