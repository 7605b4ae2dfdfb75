import type { BodyRefusal } from '../body-refusal.ts'
import { FieldReader, othersThan } from '../canon/field-reader.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { decodeCap, decodeSampling } from '../openai-chat/decode-sampling.ts'

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

/** Members that say the same as leaving them out. */
const IDLE: Readonly<Record<string, unknown>> = { echo: false, best_of: 1 }

export function decodeRequest(body: JsonObject): CanonRequest | BodyRefusal {
  const read = new FieldReader()
  const prompt = decodePrompt(read, body['prompt'])
  if (read.text(body['suffix'], 'suffix')) {
    read.refuse('suffix', 'must not be set: this model answers and does not fill gaps')
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
    // Under their paths, no dialect knows these fields: the request is sent as chat, which has none of them.
    extra: { dialect: 'openai-chat', fields: asPaths(othersThan(body, READ)) },
  }
  return read.refusal ?? request
}

/** One text, or a list of one. */
function decodePrompt(read: FieldReader, prompt: unknown): string {
  const [only, ...more] = Array.isArray(prompt) ? (prompt as readonly unknown[]) : [prompt]
  if (more.length > 0 && typeof only === 'string') {
    read.refuse('prompt', 'must be one text: this model answers one conversation at a time')
  } else if (typeof only !== 'string') read.refuse('prompt', 'must be text: this model does not accept token numbers')
  return typeof only === 'string' ? only : ''
}

function asPaths(fields: JsonObject): JsonObject {
  const said = Object.entries(fields).filter(([name, value]) => IDLE[name] !== value)
  return Object.fromEntries(said.map(([name, value]) => [`completions.${name}`, value]))
}
