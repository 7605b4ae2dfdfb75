import type { AnswerContext } from '../canon/codec.ts'
import type { FinishReason } from '../canon/events.ts'
import { Losses } from '../canon/losses.ts'
import type { JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import { encodeFormat, encodeToolChoice, encodeTools } from './encode-tools.ts'
import { encodeUsage } from './encode-usage.ts'
import { encodeFinish } from './finish.ts'

/** The response around an answer, which repeats the request's settings. */
export class ResponseObject {
  readonly id: string
  readonly #head: JsonObject

  /** `model` is the one that answers. */
  constructor({ request, idSeed, created }: AnswerContext, model: string) {
    this.id = `resp_${idSeed}`
    const { system, sampling, reasoning, format, verbosity } = request
    this.#head = {
      id: this.id,
      object: 'response',
      created_at: created,
      background: false,
      error: null,
      instructions: system.length === 0 ? null : system.map(({ text }) => text).join('\n\n'),
      max_output_tokens: request.maxTokens ?? null,
      max_tool_calls: null,
      metadata: request.metadata ?? {},
      model: model === '' ? request.model : model,
      parallel_tool_calls: request.parallelTools ?? true,
      previous_response_id: null,
      reasoning: {
        effort: reasoning?.off === true ? 'none' : (reasoning?.effort ?? null),
        summary: reasoning?.summary ?? null,
      },
      service_tier: request.serviceTier ?? 'default',
      // No provider stores it: it was requested in another dialect.
      store: false,
      temperature: sampling.temperature ?? 1,
      text: { format: encodeFormat(format ?? { type: 'text' }), verbosity: verbosity ?? 'medium' },
      tool_choice: request.toolChoice === undefined ? 'auto' : encodeToolChoice(request.toolChoice, request.tools),
      tools: encodeTools(request, new Losses()) ?? [],
      top_logprobs: sampling.topLogprobs ?? 0,
      top_p: sampling.topP ?? 1,
      truncation: 'disabled',
      user: request.user ?? null,
    }
  }

  begun(): JsonObject {
    return { ...this.#head, status: 'in_progress', incomplete_details: null, output: [], usage: null }
  }

  ended(output: readonly JsonObject[], reason: FinishReason | undefined, usage: TokenCounts | undefined): JsonObject {
    return { ...this.#head, ...encodeFinish(reason), output, usage: usage === undefined ? null : encodeUsage(usage) }
  }
}
