import type { AnswerContext } from '../canon/codec.ts'
import type { FinishReason } from '../canon/events.ts'
import { Losses } from '../canon/losses.ts'
import type { CanonRequest } from '../canon/request.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import { pendingResponse } from './background/pending-response.ts'
import { encodeFormat, encodeToolChoice, encodeTools } from './encode-tools.ts'
import { encodeUsage } from './encode-usage.ts'

/** The response object around an answer; it repeats the request's settings. */
export class ResponseObject {
  readonly id: string
  readonly #head: JsonObject
  readonly #now: () => number

  /** `model` is the one that answers. */
  constructor({ request, idSeed, created, now }: AnswerContext, model: string) {
    this.id = `resp_${idSeed}`
    this.#now = now
    const { system, sampling, reasoning, verbosity } = request
    this.#head = {
      ...repeatedFields(request),
      id: this.id,
      object: 'response',
      access_programs: null,
      created_at: created,
      background: false,
      error: null,
      instructions: system.length === 0 ? null : system.map(({ text }) => text).join('\n\n'),
      max_output_tokens: request.maxTokens ?? null,
      metadata: request.metadata ?? {},
      model: model === '' ? request.model : model,
      parallel_tool_calls: request.parallelTools ?? true,
      previous_response_id: null,
      reasoning: {
        effort: reasoning?.off === true ? 'none' : (reasoning?.effort ?? null),
        summary: reasoning?.summary ?? null,
      },
      service_tier: request.serviceTier ?? 'default',
      // No provider stores it, because it was requested in another dialect.
      store: false,
      temperature: sampling.temperature ?? 1,
      text: { format: repeatedFormat(request), verbosity: verbosity ?? 'medium' },
      tool_choice: request.toolChoice === undefined ? 'auto' : encodeToolChoice(request.toolChoice, request.tools),
      tools: repeatedTools(request),
      top_logprobs: sampling.topLogprobs ?? 0,
      top_p: sampling.topP ?? 1,
      truncation: 'disabled',
      user: request.user ?? null,
    }
  }

  begun(): JsonObject {
    const open = { status: 'in_progress', completed_at: null, incomplete_details: null }
    return { ...this.#head, ...open, output: [], usage: null }
  }

  ended(output: readonly JsonObject[], reason: FinishReason | undefined, usage: TokenCounts | undefined): JsonObject {
    const finish = encodeFinish(reason)
    const completed = finish.status === 'completed' ? this.#now() : null
    const counted = usage === undefined ? null : encodeUsage(usage)
    return { ...this.#head, ...finish, completed_at: completed, output, usage: counted }
  }
}

/** Default values of settings that only this dialect has. */
const OWN_FIELDS: JsonObject = {
  frequency_penalty: 0,
  max_tool_calls: null,
  presence_penalty: 0,
  prompt_cache_key: null,
  safety_identifier: null,
}

function repeatedFields({ extra: { dialect, fields } }: CanonRequest): JsonObject {
  if (dialect !== 'openai-responses') return OWN_FIELDS
  const given = Object.keys(OWN_FIELDS).filter((name) => (fields[name] ?? null) !== null)
  return { ...OWN_FIELDS, ...Object.fromEntries(given.map((name) => [name, fields[name]])) }
}

/** A response lists every member of a function. If a request does not set `strict`, other dialects do not enforce the schema. */
function repeatedTools(request: CanonRequest): readonly JsonObject[] {
  const tools = encodeTools(request, new Losses()) ?? []
  return tools.map((tool) => (tool['type'] === 'function' ? { description: null, strict: false, ...tool } : tool))
}

function repeatedFormat({ format = { type: 'text' } }: CanonRequest): JsonObject {
  const encoded = encodeFormat(format)
  return format.type === 'schema' ? { description: null, strict: false, ...encoded } : encoded
}

/** The events of a response to `body` for which nothing was generated. `created` in unix seconds. */
export function emptyResponseEvents(
  body: Uint8Array,
  response: { readonly id: string; readonly created: number },
): Uint8Array {
  const { id, created } = response
  const head = { ...pendingResponse(body, id, created), background: false, store: false }
  const ended = { status: 'completed', completed_at: created, usage: NO_USAGE }
  const events = [
    { type: 'response.created', sequence_number: 0, response: { ...head, status: 'in_progress' } },
    { type: 'response.completed', sequence_number: 1, response: { ...head, ...ended } },
  ]
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return new TextEncoder().encode(text)
}

const NO_USAGE = encodeUsage({ input: 0, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 })

/** The reason and the provider's word for it. */
export function decodeFinish(response: JsonObject, calledTools: boolean): { reason: FinishReason; raw: string } {
  if (response['status'] !== 'incomplete') return { reason: calledTools ? 'tool-calls' : 'stop', raw: 'completed' }
  const raw = asObject(response['incomplete_details'])?.['reason']
  switch (raw) {
    case 'content_filter':
      return { reason: 'content-filter', raw }
    case 'max_output_tokens':
    case 'max_tokens':
      return { reason: 'length', raw }
    default:
      return { reason: 'stop', raw: typeof raw === 'string' ? raw : 'incomplete' }
  }
}

function encodeFinish(reason: FinishReason | undefined): {
  readonly status: 'completed' | 'incomplete'
  readonly incomplete_details: { readonly reason: string } | null
} {
  if (reason === 'length') return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  if (reason === 'content-filter') return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
  return { status: 'completed', incomplete_details: null }
}
