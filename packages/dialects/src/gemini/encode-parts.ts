import type { Citation } from '../canon/events.ts'
import type { ReasoningSignature } from '../canon/parts.ts'
import { wrapSignature } from '../canon/signature.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'

/** A call with its signature, which is wrapped if foreign. Free text of a custom tool is sent as one argument. */
export function callPart(
  { id, name, isCustom }: { readonly id: string; readonly name: string; readonly isCustom: boolean },
  args: string,
  signature: ReasoningSignature | undefined,
): JsonObject {
  const parsed = isCustom ? undefined : args.trim() === '' ? {} : asObject(parseJson(args))
  const functionCall = { ...(id === '' ? {} : { id }), name, args: parsed ?? { input: args } }
  return { functionCall, ...(signature === undefined ? {} : { thoughtSignature: wrapSignature(signature, 'gemini') }) }
}

/** The signature of a thought. It must not look like an empty text, which Google's SDKs take for a broken answer. */
export function signaturePart(signature: ReasoningSignature): JsonObject {
  return { text: '', thought: true, thoughtSignature: wrapSignature(signature, 'gemini') }
}

/** Adds an empty text if there are no parts, as Google does: its SDKs drop a turn without parts from their history. */
export function saying(parts: readonly JsonObject[]): readonly JsonObject[] {
  return parts.length === 0 ? [{ text: '' }] : parts
}

/** Sources in the format of Google's search; empty without sources. */
export function groundingOf(citations: readonly Citation[]): JsonObject {
  if (citations.length === 0) return {}
  const groundingChunks: JsonObject[] = []
  const groundingSupports: JsonObject[] = []
  const places = new Map<string, number>()
  for (const { url, title, quote } of citations) {
    const at = places.get(url) ?? groundingChunks.length
    if (at === groundingChunks.length) {
      // Clients that validate what they read require a title.
      groundingChunks.push({ web: { uri: url, title: title ?? url } })
      places.set(url, at)
    }
    if (quote !== undefined) groundingSupports.push({ segment: { text: quote }, groundingChunkIndices: [at] })
  }
  return {
    groundingMetadata: { groundingChunks, ...(groundingSupports.length === 0 ? {} : { groundingSupports }) },
  }
}
