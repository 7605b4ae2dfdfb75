import type { JsonObject } from '../json-value.ts'

/**
 * The body of a message for Bedrock's InvokeModel: model and streaming are in the path, version and betas in the body. `headers`
 * alternates names and values. Source: Amazon Bedrock user guide, Anthropic Claude Messages API.
 */
export function bedrockBody(body: JsonObject, _stream: boolean, headers: readonly string[] = []): JsonObject {
  const { model: _model, stream: _, anthropic_beta: translated, ...rest } = body
  const named = headers.flatMap((name, at) => (name === 'anthropic-beta' ? (headers[at + 1] ?? '').split(',') : []))
  const betas = [...(Array.isArray(translated) ? translated : []), ...named.map((name) => name.trim())].filter(
    isOnBedrock,
  )
  return {
    anthropic_version: 'bedrock-2023-05-31',
    ...rest,
    ...(betas.length === 0 ? {} : { anthropic_beta: betas }),
  }
}

/** The body of a message for Vertex AI's rawPredict, which keeps `stream`. Source: Google Cloud, Claude on Vertex AI. */
export function vertexBody(body: JsonObject, stream: boolean): JsonObject {
  const { model: _, ...rest } = body
  return { anthropic_version: 'vertex-2023-10-16', ...rest, stream }
}

/** The betas that Bedrock supports. It refuses all others, but clients list every beta that they know. */
const ON_BEDROCK: ReadonlySet<string> = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'token-efficient-tools-2025-02-19',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'dev-full-thinking-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
])

const isOnBedrock = (name: unknown) => typeof name === 'string' && ON_BEDROCK.has(name)
