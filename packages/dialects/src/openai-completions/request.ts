import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { CHOICES_LIMIT, readIncludeUsage, TOKENS_LIMIT } from '../openai-chat/identify.ts'
import { isList, isNull, isRefused, isText, readFlag, readModel, readWhole, RequestFields } from '../request-fields.ts'
import { keySet } from '../splice/key-set.ts'
import { arrayElements, type Span } from '../splice/scan.ts'
import { readSteering, type Steering, STEERING_FIELDS } from '../steering.ts'

/** The members of a `/v1/completions` body that the gateway needs. */
export interface CompletionRequest {
  readonly model: string
  readonly stream: boolean
  readonly wantsUsage: boolean
  /** Output-token limit of one choice; undefined also if it is 0. */
  readonly maxOutput: number | undefined
  /** Texts that are generated and charged: the larger of `n` and `best_of`, for each prompt. */
  readonly n: number
  /** Texts that are returned: `n` for each prompt. */
  readonly choices: number
  readonly steering: Steering
  /** Bytes of prompts and suffix, for the prompt estimate. */
  readonly promptBytes: number
  readonly spans: { readonly body: Span; readonly model: Span; readonly streamOptions: Span | undefined }
}

const KEYS = keySet(
  'model',
  'prompt',
  'suffix',
  'stream',
  'stream_options',
  'max_tokens',
  'n',
  'best_of',
  ...STEERING_FIELDS,
)
const PROMPTS_LIMIT = 2_048

export function readCompletionRequest(body: Uint8Array): CompletionRequest | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  if (isBodyRefusal(fields)) return fields
  const model = readModel(fields.value('model'))
  if (isRefused(model)) return model
  const prompts = countPrompts(body, fields.spans.prompt)
  if (isRefused(prompts)) return prompts
  const stream = readFlag('stream', fields.value('stream'))
  if (isRefused(stream)) return stream
  const { spans } = fields
  const steering = readSteering(body, spans)
  if (isBodyRefusal(steering)) return steering
  const wantsUsage = spans.stream_options === undefined ? false : readIncludeUsage(body, spans.stream_options)
  if (isRefused(wantsUsage)) return wantsUsage
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
    wantsUsage,
    maxOutput: cap === 0 ? undefined : cap,
    n: Math.max(n, bestOf) * prompts,
    choices: n * prompts,
    steering,
    promptBytes: fields.bytes('prompt') + fields.bytes('suffix'),
    spans: { body: fields.object, model: spans.model, streamOptions: spans.stream_options },
  }
}

/** A list of texts, or of lists of tokens, is several prompts. Nothing is parsed: a prompt can be as long as the body. */
function countPrompts(body: Uint8Array, prompt: Span | undefined): number | BodyRefusal {
  if (prompt === undefined || isNull(body, prompt)) return invalidField('prompt', 'is required')
  if (isText(body, prompt)) return 1
  if (!isList(body, prompt)) return invalidField('prompt', 'must be a string or a list')
  if (holdsOnlyNumbers(body, prompt)) return 1
  let prompts = 0
  for (const item of arrayElements(body, prompt)) {
    prompts += 1
    if (prompts > PROMPTS_LIMIT) return invalidField('prompt', `must contain at most ${PROMPTS_LIMIT} prompts`)
    if (!isText(body, item) && !isList(body, item))
      return invalidField('prompt', 'must be a string, a list of strings or a list of tokens')
  }
  return prompts === 0 ? invalidField('prompt', 'must contain at least one prompt') : prompts
}

const SPACE = 0x20
const QUOTE = 0x22
const NINE = 0x39
const EXPONENTS: readonly (number | undefined)[] = [0x45, 0x65]

/** Requires a list found by a scan: anything other than numbers contains a quote, a letter or brackets. False for an empty list. */
function holdsOnlyNumbers(body: Uint8Array, { start, end }: Span): boolean {
  let isEmpty = true
  for (let i = start + 1; i < end - 1; i++) {
    const byte = body[i] ?? 0
    if (byte === QUOTE || (byte > NINE && !EXPONENTS.includes(byte))) return false
    if (byte > SPACE) isEmpty = false
  }
  return !isEmpty
}
