import type { FinishedAttempt, FinishedRequest, FinishedUsage } from '../finished-request.ts'
import type { Span } from './span.ts'
import { isSampled, traceContext } from './trace-context.ts'

/**
 * A request as a server span, and each of its calls to a provider as a client span, with the attributes of OpenTelemetry's
 * conventions for generative AI (in development; as of late 2026, https://opentelemetry.io/docs/specs/semconv/gen-ai/). The spans
 * contain nothing that a user wrote or a model answered. Returns no spans if the trace is not in the share (0 to 1) that is
 * recorded.
 */
export function requestSpans(request: FinishedRequest, share: number, newSpanId: () => string): readonly Span[] {
  const { traceId, parentId, isWanted } = traceContext(request.id, request.traceparent)
  if (!isWanted || !isSampled(traceId, share)) return []
  // The random half of a request's id.
  const spanId = request.id.slice(16)
  const calls = request.attempts.map((attempt, at) => {
    const isLast = at === request.attempts.length - 1
    const usage = isLast ? request.usage : undefined
    return callSpan({ traceId, parentId: spanId, spanId: newSpanId() }, request, attempt, usage)
  })
  return [serverSpan({ traceId, parentId, spanId }, request), ...calls]
}

type SpanIds = Pick<Span, 'traceId' | 'parentId' | 'spanId'>

const SERVER_ERROR = 500

function serverSpan(ids: SpanIds, request: FinishedRequest): Span {
  const { endpoint, method, status, code, received, ended, ending, model } = request
  return {
    ...ids,
    name: `${method} ${endpoint}`,
    kind: 'server',
    started: received,
    ended,
    attributes: {
      'http.request.method': method,
      'http.route': endpoint,
      'http.response.status_code': status,
      ...operationOf(request),
      'gen_ai.request.model': named(model),
      ...usageOf(request.usage),
      'error.type': named(code),
      'sluice.request.id': request.id,
      'sluice.ending': named(ending),
      'sluice.attempts': request.attempts.length,
      'sluice.quota': request.quota > 0 ? request.quota : undefined,
    },
    // A client's mistake is not a server error.
    isError: status >= SERVER_ERROR,
  }
}

function callSpan(
  ids: SpanIds,
  request: FinishedRequest,
  { channel, provider, model, started, ended, status, error, firstByteMs }: FinishedAttempt,
  usage: FinishedUsage | undefined,
): Span {
  const operation = operationOf(request)
  return {
    ...ids,
    name: `${operation['gen_ai.operation.name'] ?? request.endpoint} ${model}`,
    kind: 'client',
    started,
    ended,
    attributes: {
      ...operation,
      'gen_ai.provider.name': PROVIDERS.get(provider) ?? named(provider.toLowerCase()),
      'gen_ai.request.model': named(model),
      'gen_ai.request.stream': request.stream ? true : undefined,
      'gen_ai.response.time_to_first_chunk':
        request.stream && firstByteMs !== undefined ? firstByteMs / 1_000 : undefined,
      ...usageOf(usage),
      'http.response.status_code': status === 0 ? undefined : status,
      'error.type': named(error),
      'sluice.channel.id': channel,
    },
    isError: error !== '',
  }
}

/** By the convention, input includes tokens read from a cache. */
function usageOf(usage: FinishedUsage | undefined): Span['attributes'] {
  if (usage === undefined) return {}
  const { input, cachedInput, cacheWrite, output, reasoning } = usage
  return {
    'gen_ai.usage.input_tokens': input + cachedInput + cacheWrite,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cachedInput > 0 ? cachedInput : undefined,
    'gen_ai.usage.cache_creation.input_tokens': cacheWrite > 0 ? cacheWrite : undefined,
    'gen_ai.usage.reasoning.output_tokens': reasoning > 0 ? reasoning : undefined,
  }
}

const operationOf = ({ endpoint }: FinishedRequest) => ({ 'gen_ai.operation.name': OPERATIONS.get(endpoint) })

const named = (text: string) => (text === '' ? undefined : text)

/** Operation names of the convention, which has no names for other calls. */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['/v1/chat/completions', 'chat'],
  ['/v1/messages', 'chat'],
  ['/v1/responses', 'chat'],
  ['/v1/completions', 'text_completion'],
  ['/v1/embeddings', 'embeddings'],
  ['/v1beta/models/{model}:generateContent', 'generate_content'],
  ['/v1beta/models/{model}:embedContent', 'embeddings'],
  ['/v1beta/models/{model}:batchEmbedContents', 'embeddings'],
])

/** Well-known provider names of the convention, by the name of the channel's type. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['OpenAI', 'openai'],
  ['Azure', 'azure.ai.openai'],
  ['Anthropic', 'anthropic'],
  ['AWS', 'aws.bedrock'],
  ['Gemini', 'gcp.gemini'],
  ['Gemini OpenAI format', 'gcp.gemini'],
  ['VertexAI', 'gcp.vertex_ai'],
  ['Cohere', 'cohere'],
  ['DeepSeek', 'deepseek'],
  ['Groq', 'groq'],
  ['Mistral', 'mistral_ai'],
  ['Moonshot', 'moonshot_ai'],
  ['xAI', 'x_ai'],
])
