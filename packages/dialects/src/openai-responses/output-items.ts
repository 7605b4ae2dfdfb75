import type { Citation } from '../canon/events.ts'
import type { ReasoningProof } from '../canon/parts.ts'
import { sealProof } from '../canon/proof.ts'
import type { JsonObject } from '../json-value.ts'
import { encodeCitation, imageFormat } from './answer-items.ts'

/** Items of an answer as clients get them, in streams and whole replies alike. */

/** Whether this is the id of reasoning that was told here: it ends with that of the request. An answer can go on without. */
export function isToldReasoning(id: string): boolean {
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

/** What was thought is shown as a summary: that is the member which every client of this dialect reads. */
export function reasoningItem(id: string, text: string, proof: ReasoningProof | undefined): JsonObject {
  return {
    id,
    type: 'reasoning',
    summary: text === '' ? [] : [{ type: 'summary_text', text }],
    ...(proof === undefined ? {} : { encrypted_content: sealed(proof) }),
  }
}

/**
 * A proof of this dialect holds for the item that it was made for, whose id is not known yet when the item here begins. So it
 * travels wrapped, with that id, as proofs of others do.
 */
function sealed(proof: ReasoningProof): string {
  return sealProof(proof, proof.item === undefined ? 'openai-responses' : 'openai-chat')
}

/**
 * The signature of a call, which has no member here: an empty reasoning item in front of the call, which clients give back
 * with all others. `item` names the call that it belongs to.
 */
export function callProofItem(id: string, callId: string, proof: ReasoningProof): JsonObject {
  return reasoningItem(id, '', { ...proof, item: callId })
}

export interface Call {
  readonly id: string
  readonly name: string
  readonly isCustom: boolean
}

export function callItem(id: string, status: ItemStatus, call: Call, args: string): JsonObject {
  const { id: call_id, name } = call
  return call.isCustom
    ? { id, type: 'custom_tool_call', status, call_id, name, input: args }
    : { id, type: 'function_call', status, call_id, name, arguments: args }
}

export function imageItem(id: string, mime: string, data: string): JsonObject {
  return { id, type: 'image_generation_call', status: 'completed', output_format: imageFormat(mime), result: data }
}
