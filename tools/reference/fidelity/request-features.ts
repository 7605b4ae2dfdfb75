import type { ClientDialect } from '../../../packages/dialects/laws/client-dialects.ts'
import { EMPTY_REQUEST } from '../../../packages/dialects/laws/views.ts'
import { isBodyRefusal } from '../../../packages/dialects/src/body-refusal.ts'
import {
  isInexpressible,
  type ModelTraits,
  type Target,
  type UpstreamCodec,
} from '../../../packages/dialects/src/canon/codec.ts'
import type { Loss } from '../../../packages/dialects/src/canon/losses.ts'
import type { ChatDialect, Part, TextPart, Turn } from '../../../packages/dialects/src/canon/parts.ts'
import type { CanonRequest, Tool } from '../../../packages/dialects/src/canon/request.ts'

export interface RequestFeature {
  readonly name: string
  readonly request: CanonRequest
}

const text = (words: string): TextPart => ({ kind: 'text', text: words })
const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts: [text('Look.'), ...parts] })
const png = { type: 'base64', mime: 'image/png', data: 'iVBORw0KGgo=' } as const
const tool: Tool = {
  name: 'get_weather',
  description: 'Tells the weather.',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}
const calls: Turn = {
  role: 'assistant',
  parts: ['a', 'b'].map((id) => ({ kind: 'tool-call', id, name: 'get_weather', args: `{"city":"${id}"}` })),
}
const results = (b: Partial<Extract<Part, { readonly kind: 'tool-result' }>>): Turn => ({
  role: 'tool',
  parts: [
    { kind: 'tool-result', callId: 'a', name: 'get_weather', parts: [text('sunny')] },
    { kind: 'tool-result', callId: 'b', name: 'get_weather', parts: [text('rain')], ...b },
  ],
})

const asking = (more: Partial<CanonRequest>): CanonRequest => ({
  ...EMPTY_REQUEST,
  stream: false,
  turns: [user()],
  ...more,
})

export const REQUEST_FEATURES: readonly RequestFeature[] = [
  { name: 'instructions', request: asking({ system: [text('Be brief.')] }) },
  { name: 'a picture', request: asking({ turns: [user({ kind: 'image', source: png })] }) },
  {
    name: 'a picture by its address',
    request: asking({ turns: [user({ kind: 'image', source: { type: 'url', url: 'https://example.com/a.png' } })] }),
  },
  {
    name: 'a PDF',
    request: asking({
      turns: [user({ kind: 'file', source: { ...png, mime: 'application/pdf' } })],
    }),
  },
  {
    name: 'audio',
    request: asking({ turns: [user({ kind: 'audio', source: { ...png, mime: 'audio/wav' } })] }),
  },
  { name: 'tools', request: asking({ tools: [tool] }) },
  { name: 'results of parallel calls', request: asking({ tools: [tool], turns: [user(), calls, results({})] }) },
  {
    name: 'a tool that failed',
    request: asking({ tools: [tool], turns: [user(), calls, results({ isError: true })] }),
  },
  {
    name: 'a picture from a tool',
    request: asking({
      tools: [tool],
      turns: [user(), calls, results({ parts: [text('rain'), { kind: 'image', source: png }] })],
    }),
  },
  { name: 'a tool that must be called', request: asking({ tools: [tool], toolChoice: { mode: 'required' } }) },
  { name: 'one call at a time', request: asking({ tools: [tool], parallelTools: false }) },
  {
    name: 'an answer by schema',
    request: asking({ format: { type: 'schema', name: 'answer', schema: tool.schema ?? {}, strict: true } }),
  },
  { name: 'an answer in JSON', request: asking({ format: { type: 'json' } }) },
  { name: 'effort of thinking', request: asking({ reasoning: { effort: 'high' } }) },
  { name: 'tokens for thinking', request: asking({ reasoning: { budget: 2_048 }, maxTokens: 8_192 }) },
  {
    name: 'cache marks',
    request: asking({ turns: [{ role: 'user', parts: [{ ...text('Look.'), cache: { ttl: '5m' } }] }] }),
  },
  { name: 'temperature', request: asking({ sampling: { temperature: 0.5 } }) },
  { name: 'words to stop at', request: asking({ sampling: { stop: ['END'] } }) },
  { name: 'most tokens of the answer', request: asking({ maxTokens: 4_096 }) },
]

/** The result for a request: reported losses, or why it is refused. */
export type Telling = { readonly losses: readonly Loss[] } | { readonly refused: string }

/** For each dialect, a model that accepts everything its provider offers. */
const MODELS: Partial<Record<ChatDialect, string>> = {
  'openai-chat': 'gpt-5.1',
  'openai-responses': 'gpt-5.1',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
  'bedrock-converse': 'amazon.nova-2-lite-v1:0',
  cohere: 'command-a-reasoning-08-2025',
}

/** How a client's request in this dialect reaches a provider; undefined when such clients cannot express it. */
export function telling({ request }: RequestFeature, spoken: ClientDialect, codec: UpstreamCodec): Telling | undefined {
  const said = spoken.upstream.encodeRequest(request, target(spoken.upstream, request))
  if (isInexpressible(said) || said.losses.length > 0) return undefined
  const heard = spoken.client.decodeRequest(said.body, { model: 'm', stream: false })
  if (isBodyRefusal(heard)) return undefined
  const sent = codec.encodeRequest(heard, target(codec, request))
  return isInexpressible(sent) ? { refused: sent.rule } : { losses: sent.losses }
}

function target({ dialect }: UpstreamCodec, { reasoning }: CanonRequest): Target {
  // Thinking is requested in the model's own way: by an effort, or by tokens.
  const thinking = reasoning?.effort === undefined ? 'budget' : dialect === 'gemini' ? 'level' : 'adaptive'
  const takes: ModelTraits = dialect === 'anthropic-messages' || dialect === 'gemini' ? { thinking } : {}
  return { model: MODELS[dialect] ?? 'm', stream: false, takes, defaultMaxTokens: 16_384 }
}
