import type { FinishReason } from '../canon/events.ts'
import { asObject, type JsonObject } from '../json-value.ts'

/** How a response ended: the reason, and the provider's own word for it. */
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

/** Members of a response that say how it ended. */
export function encodeFinish(reason: FinishReason | undefined): {
  readonly status: 'completed' | 'incomplete'
  readonly incomplete_details: { readonly reason: string } | null
} {
  if (reason === 'length') return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  if (reason === 'content-filter') return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
  return { status: 'completed', incomplete_details: null }
}
