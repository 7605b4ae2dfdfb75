import type { Citation } from '../canon/events.ts'
import type { ReasoningSignature } from '../canon/parts.ts'
import { wrapSignature } from '../canon/signature.ts'
import type { JsonObject } from '../json-value.ts'
import { encodeCitation, imageFormat } from './answer-items.ts'

/** Items of an answer as clients receive them, in streams and whole replies alike. */

/** Whether reasoning was translated here: its id ends with the request's. An answer can be continued without it. */
export function isTranslatedReasoning(id: string): boolean {
  return /^rs_[0-9a-f]{32}_\d+$/.test(id)
}

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export function messageItem(id: string, status: ItemStatus, content: readonly JsonObject[]): JsonObject {
  return { id, type: 'message', status, role: 'assistant', content }
}

export function textPart(text: string, citations: readonly Citation[]): JsonObject {
  return { type: 'output_text', text, annotations: citations.map(encodeCitation), logprobs: [] }
}

export function refusalPart(refusal: string): JsonObject {
  return { type: 'refusal', refusal }
}

/** Thoughts are shown as a summary, because every client of this dialect reads that member. */
export function reasoningItem(id: string, text: string, signature: ReasoningSignature | undefined): JsonObject {
  return {
    id,
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(signature === undefined ? {} : { encrypted_content: sealed(signature) }),
  }
}

/**
 * A signature of this dialect is valid only for its original item, whose id is not known yet when our item begins. It is therefore
 * wrapped together with that id, like signatures of other dialects.
 */
function sealed(signature: ReasoningSignature): string {
  return wrapSignature(signature, signature.item === undefined ? 'openai-responses' : 'openai-chat')
}

/** A call's signature, for which items have no member: an empty reasoning item before the call, which clients send back. */
export function callSignatureItem(id: string, callId: string, signature: ReasoningSignature): JsonObject {
  return reasoningItem(id, '', { ...signature, item: callId })
}

export interface Call {
  readonly id: string
  readonly name: string
  readonly namespace?: string | undefined
  readonly isCustom: boolean
}

export function callItem(id: string, status: ItemStatus, call: Call, args: string): JsonObject {
  const { id: call_id, name, namespace } = call
  const grouped = namespace === undefined ? {} : { namespace }
  return call.isCustom
    ? { id, type: 'custom_tool_call', status, call_id, name, ...grouped, input: args }
    : { id, type: 'function_call', status, call_id, name, ...grouped, arguments: args }
}

export function imageItem(id: string, mime: string, data: string): JsonObject {
  return { id, type: 'image_generation_call', status: 'completed', output_format: imageFormat(mime), result: data }
}
