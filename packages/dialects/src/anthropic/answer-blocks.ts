import type { ReasoningSignature } from '../canon/parts.ts'
import { wrapSignature } from '../canon/signature.ts'
import type { JsonObject } from '../json-value.ts'

/** Blocks of an answer as clients receive them, both in streams and in whole replies. */

export function textBlock(text: string, citations: readonly JsonObject[] = []): JsonObject {
  return { type: 'text', text, citations: citations.length === 0 ? null : citations }
}

/**
 * For providers that do not sign thoughts: clients drop unsigned thoughts from the next turn, and Anthropic refuses a conversation
 * with them. This signature is recognised as a foreign one and carries nothing.
 */
export const UNSIGNED = wrapSignature({ dialect: 'openai-chat', value: '' }, 'anthropic-messages')

export function thinkingBlock(thinking: string, signature: ReasoningSignature | undefined): JsonObject {
  return { type: 'thinking', thinking, signature: signature === undefined ? UNSIGNED : signatureOf(signature) }
}

/** Start of a thinking block in a stream; deltas fill in both members. */
export const EMPTY_THINKING: JsonObject = { type: 'thinking', thinking: '', signature: '' }

export function redactedBlock(signature: ReasoningSignature): JsonObject {
  return { type: 'redacted_thinking', data: signatureOf(signature) }
}

/** A call's signature, for which messages have no member: an empty thinking block before the call, which clients send back. */
export function callSignatureBlock(callId: string, signature: ReasoningSignature): JsonObject {
  return thinkingBlock('', { ...signature, item: callId })
}

export function callBlock(id: string, name: string, input: JsonObject): JsonObject {
  return { type: 'tool_use', id, name, input, caller: CALLED_BY_THE_MODEL }
}

/** Not made by code that the provider ran. */
const CALLED_BY_THE_MODEL: JsonObject = { type: 'direct' }

/** Messages cannot contain pictures; clients that render Markdown show this text as a picture. */
export function pictureText(mime: string, data: string): string {
  return `![image](data:${mime};base64,${data})`
}

export function signatureOf(signature: ReasoningSignature): string {
  return wrapSignature(signature, 'anthropic-messages')
}
