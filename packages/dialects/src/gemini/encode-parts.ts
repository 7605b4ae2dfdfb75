import type { Citation } from '../canon/events.ts'
import type { ReasoningProof } from '../canon/parts.ts'
import { sealProof } from '../canon/proof.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'

/** A call of the model, with its signature; foreign ones travel wrapped. Free text of a custom tool is told as one argument. */
export function callPart(
  { id, name, isCustom }: { readonly id: string; readonly name: string; readonly isCustom: boolean },
  args: string,
  proof: ReasoningProof | undefined,
): JsonObject {
  const parsed = isCustom ? undefined : args.trim() === '' ? {} : asObject(parseJson(args))
  const functionCall = { ...(id === '' ? {} : { id }), name, args: parsed ?? { input: args } }
  return { functionCall, ...(proof === undefined ? {} : { thoughtSignature: sealProof(proof, 'gemini') }) }
}

/** The signature of a thought. It must not look like an empty text, which Google's SDKs take for a broken answer. */
export function proofPart(proof: ReasoningProof): JsonObject {
  return { text: '', thought: true, thoughtSignature: sealProof(proof, 'gemini') }
}

/** Sources as Google's search tells them; empty without any. */
export function groundingOf(citations: readonly Citation[]): JsonObject {
  if (citations.length === 0) return {}
  const groundingChunks: JsonObject[] = []
  const groundingSupports: JsonObject[] = []
  const places = new Map<string, number>()
  for (const { url, title, quote } of citations) {
    const at = places.get(url) ?? groundingChunks.length
    if (at === groundingChunks.length) {
      // Clients that check what they read want a title.
      groundingChunks.push({ web: { uri: url, title: title ?? url } })
      places.set(url, at)
    }
    if (quote !== undefined) groundingSupports.push({ segment: { text: quote }, groundingChunkIndices: [at] })
  }
  return {
    groundingMetadata: { groundingChunks, ...(groundingSupports.length === 0 ? {} : { groundingSupports }) },
  }
}
