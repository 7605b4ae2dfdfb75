import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { CHOICES_LIMIT, readIncludeUsage, TOKENS_LIMIT } from '../openai-chat/identify.ts'
import { isRefused, readFlag, readModel, readWhole, RequestFields } from '../request-fields.ts'
import { keySet, type Span } from '../splice/scan.ts'

/** What the gateway needs to know of a body for `/v1/completions`. */
export interface CompletionRequest {
  readonly model: string
  readonly stream: boolean
  readonly usageAsked: boolean
  /** Cap on output tokens of one choice; undefined when there is none, or when it is 0. */
  readonly maxOutput: number | undefined
  /** Texts that are written and paid for: the larger of `n` and `best_of`, for each prompt. */
  readonly n: number
  /** Bytes of prompts and suffix: the basis of the prompt estimate. */
  readonly promptBytes: number
  readonly spans: { readonly body: Span; readonly model: Span; readonly streamOptions: Span | undefined }
}

const KEYS = keySet('model', 'prompt', 'suffix', 'stream', 'stream_options', 'max_tokens', 'n', 'best_of')
const PROMPTS_LIMIT = 2_048

export function readCompletionRequest(body: Uint8Array): CompletionRequest | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  if (isBodyRefusal(fields)) return fields
  const model = readModel(fields.value('model'))
  if (isRefused(model)) return model
  const prompts = countPrompts(fields.value('prompt'))
  if (isRefused(prompts)) return prompts
  const stream = readFlag('stream', fields.value('stream'))
  if (isRefused(stream)) return stream
  const { spans } = fields
  const usageAsked = spans.stream_options === undefined ? false : readIncludeUsage(body, spans.stream_options)
  if (isRefused(usageAsked)) return usageAsked
  const cap = readWhole('max_tokens', fields.value('max_tokens'), { min: 0, max: TOKENS_LIMIT, absent: 0 })
  if (isRefused(cap)) return cap
  const n = readWhole('n', fields.value('n'), { min: 1, max: CHOICES_LIMIT, absent: 1 })
  if (isRefused(n)) return n
  const bestOf = readWhole('best_of', fields.value('best_of'), { min: 1, max: CHOICES_LIMIT, absent: 1 })
  if (isRefused(bestOf)) return bestOf
  if (spans.model === undefined) return invalidField('model', 'is required')
  return {
    model,
    stream,
    usageAsked,
    maxOutput: cap === 0 ? undefined : cap,
    n: Math.max(n, bestOf) * prompts,
    promptBytes: fields.bytes('prompt') + fields.bytes('suffix'),
    spans: { body: fields.object, model: spans.model, streamOptions: spans.stream_options },
  }
}

/** One text or one list of tokens is one prompt; a list of either is several. */
function countPrompts(prompt: unknown): number | BodyRefusal {
  if (prompt === null) return invalidField('prompt', 'is required')
  if (typeof prompt === 'string') return 1
  if (!Array.isArray(prompt)) return invalidField('prompt', 'must be a string or a list')
  if (prompt.length === 0) return invalidField('prompt', 'must hold at least one prompt')
  if (prompt.every((item) => typeof item === 'number')) return 1
  if (prompt.length > PROMPTS_LIMIT) return invalidField('prompt', `must hold at most ${PROMPTS_LIMIT} prompts`)
  return prompt.every((item) => typeof item === 'string' || Array.isArray(item))
    ? prompt.length
    : invalidField('prompt', 'must be a string, a list of strings or a list of tokens')
}
