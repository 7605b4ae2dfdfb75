import type { ReasoningProof } from '../canon/parts.ts'
import { sealProof } from '../canon/proof.ts'
import type { JsonObject } from '../json-value.ts'

/** Blocks of an answer as clients get them, in streams and whole replies alike. */

export function textBlock(text: string, citations: readonly JsonObject[] = []): JsonObject {
  return { type: 'text', text, ...(citations.length === 0 ? {} : { citations }) }
}

/**
 * Stands where a provider signs nothing: clients leave thoughts without a signature out of the next turn, and Anthropic refuses
 * a conversation that has some. This one is found like a foreign signature, and says nothing.
 */
export const UNSIGNED = sealProof({ dialect: 'openai-chat', value: '' }, 'anthropic-messages')

/** Thoughts with their signature. */
export function thinkingBlock(thinking: string, proof: ReasoningProof | undefined): JsonObject {
  return { type: 'thinking', thinking, signature: proof === undefined ? UNSIGNED : signatureOf(proof) }
}

/** How a stream of thoughts begins; both members come in deltas. */
export const EMPTY_THINKING: JsonObject = { type: 'thinking', thinking: '', signature: '' }

export function redactedBlock(proof: ReasoningProof): JsonObject {
  return { type: 'redacted_thinking', data: signatureOf(proof) }
}

/**
 * The signature of a call, which has no member here: an empty thinking block in front of the call, which clients give back
 * with all others. `item` names the call that it belongs to.
 */
export function callProofBlock(callId: string, proof: ReasoningProof): JsonObject {
  return thinkingBlock('', { ...proof, item: callId })
}

export function callBlock(id: string, name: string, input: JsonObject): JsonObject {
  return { type: 'tool_use', id, name, input }
}

/** Messages hold no pictures; Markdown shows one to whoever renders it, and nothing of it is lost. */
export function pictureText(mime: string, data: string): string {
  return `![image](data:${mime};base64,${data})`
}

export function signatureOf(proof: ReasoningProof): string {
  return sealProof(proof, 'anthropic-messages')
}
