import type { ReasoningSignature } from '../canon/parts.ts'
import { wrapSignature } from '../canon/signature.ts'
import type { JsonObject } from '../json-value.ts'

/** Blocks of an answer as clients receive them, in streams and whole replies alike. */

export function textBlock(text: string, citations: readonly JsonObject[] = []): JsonObject {
  return { type: 'text', text, citations: citations.length === 0 ? null : citations }
}

/**
 * Used where a provider signs nothing: clients leave thoughts without a signature out of the next turn, and Anthropic refuses a
 * conversation that has some. This one is recognized like a foreign signature, and says nothing.
 */
export const UNSIGNED = wrapSignature({ dialect: 'openai-chat', value: '' }, 'anthropic-messages')

export function thinkingBlock(thinking: string, signature: ReasoningSignature | undefined): JsonObject {
  return { type: 'thinking', thinking, signature: signature === undefined ? UNSIGNED : signatureOf(signature) }
}

/** How a block of thoughts begins in a stream; both members come in deltas. */
export const EMPTY_THINKING: JsonObject = { type: 'thinking', thinking: '', signature: '' }

export function redactedBlock(signature: ReasoningSignature): JsonObject {
  return { type: 'redacted_thinking', data: signatureOf(signature) }
}

/**
 * The signature of a call, which has no member here: an empty thinking block before the call, which clients send back with all
 * others. `item` names the call that it belongs to.
 */
export function callSignatureBlock(callId: string, signature: ReasoningSignature): JsonObject {
  return thinkingBlock('', { ...signature, item: callId })
}

export function callBlock(id: string, name: string, input: JsonObject): JsonObject {
  return { type: 'tool_use', id, name, input, caller: CALLED_BY_THE_MODEL }
}

/** Not by code that the provider ran. */
const CALLED_BY_THE_MODEL: JsonObject = { type: 'direct' }

/** Messages hold no pictures; Markdown shows one to clients that render it, and nothing of it is lost. */
export function pictureText(mime: string, data: string): string {
  return `![image](data:${mime};base64,${data})`
}

export function signatureOf(signature: ReasoningSignature): string {
  return wrapSignature(signature, 'anthropic-messages')
}
