import type { AnswerDecoder, Frame } from '../canon/codec.ts'
import type { AnswerEvent, FinishReason } from '../canon/events.ts'
import type { UpstreamError } from '../canon/upstream-error.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { chatUsage } from '../openai-chat/usage.ts'
import { usageOfReply } from '../usage/usage-report.ts'

/** One frame for each sentence; `is_end` marks the last. Errors arrive under status 200, whole or inside the stream. */
export function openDecoder(): AnswerDecoder {
  let state: 'new' | 'open' | 'over' = 'new'
  let hasText = false
  return {
    push({ data }: Frame): readonly AnswerEvent[] {
      const fields = asObject(parseJson(data))
      if (fields === undefined || state === 'over') return []
      const error = errorOf(fields)
      if (error !== undefined) {
        state = 'over'
        return [{ type: 'error', error }]
      }
      const isFirst = state === 'new'
      const isLast = fields['is_end'] === true
      state = isLast ? 'over' : 'open'
      const text = textOf(fields)
      hasText ||= text !== ''
      return [
        ...(isFirst ? [startOf(fields)] : []),
        ...(text === '' ? [] : [{ type: 'text', block: 0, delta: text } as const]),
        ...(isLast ? endOf(fields, hasText) : []),
      ]
    },
    end: () => [],
  }
}

export function decodeReply(reply: JsonObject): readonly AnswerEvent[] {
  const error = errorOf(reply)
  if (error !== undefined) return [{ type: 'error', error }]
  const text = reply['result']
  if (typeof text !== 'string') return []
  const said = text === '' ? [] : [{ type: 'text', block: 0, delta: text } as const]
  return [startOf(reply), ...said, ...endOf(reply, text !== '')]
}

function startOf({ id }: JsonObject): AnswerEvent {
  return { type: 'start', id: typeof id === 'string' ? id : '', model: '' }
}

function endOf(fields: JsonObject, hasText: boolean): readonly AnswerEvent[] {
  const report = usageOfReply(chatUsage, fields)
  const [reason, raw] = finishOf(fields)
  return [
    ...(hasText ? [{ type: 'block-end', block: 0 } as const] : []),
    ...(report === undefined ? [] : [{ type: 'usage', report } as const]),
    { type: 'finish', reason, raw },
  ]
}

/** `need_clear_history`: Wenxin considers the conversation, and therefore the answer, unsafe. */
function finishOf(fields: JsonObject): readonly [FinishReason, string] {
  if (fields['need_clear_history'] === true) return ['content-filter', 'need_clear_history']
  return fields['is_truncated'] === true ? ['length', 'is_truncated'] : ['stop', '']
}

const textOf = ({ result }: JsonObject): string => (typeof result === 'string' ? result : '')

/** HTTP statuses for Wenxin's codes, by which failures are classified. */
function statusOf(code: number): number {
  if (code === 6 || (code >= 100 && code <= 111)) return 401
  if (code === 4 || (code >= 17 && code <= 19) || code === 336_501 || code === 336_502) return 429
  return code >= 336_001 && code <= 336_007 ? 400 : 500
}

function errorOf({ error_code: code, error_msg: message }: JsonObject): UpstreamError | undefined {
  if (code === undefined || code === null || code === 0) return undefined
  const text = typeof message === 'string' && message !== '' ? message : 'The provider reported an error.'
  return {
    message: text,
    type: undefined,
    code: statusOf(typeof code === 'number' || typeof code === 'string' ? Number(code) : NaN),
    param: undefined,
  }
}
