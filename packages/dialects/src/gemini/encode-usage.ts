import type { JsonObject } from '../json-value.ts'
import type { TokenCounts, UnitCounts } from '../token-counts.ts'

/** `usageMetadata`: thoughts are counted outside the candidates, cached tokens inside the prompt. */
export function encodeGeminiUsage(counts: TokenCounts): JsonObject {
  const { input, cachedInput, cacheWrite5m, cacheWrite1h, output, reasoning, units = {} } = counts
  const audio = sum(units.audio_input, units.cached_audio_input)
  const image = sum(units.image_input, units.cached_image_input)
  const video = sum(units.video_input)
  const text = input + cachedInput + cacheWrite5m + cacheWrite1h
  const cached = sum(cachedInput, units.cached_audio_input, units.cached_image_input)
  const thoughts = sum(reasoning, units.reasoning_output)
  const said = output - reasoning
  const [spoken, painted] = [sum(units.audio_output), sum(units.image_output)]
  const prompt = text + audio + image + video
  const candidates = said + spoken + painted
  return {
    promptTokenCount: prompt,
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    candidatesTokenCount: candidates,
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    totalTokenCount: prompt + candidates + thoughts,
    ...details('promptTokensDetails', { TEXT: text, AUDIO: audio, IMAGE: image, VIDEO: video }),
    ...cachedDetails(cachedInput, units),
    ...details('candidatesTokensDetails', { TEXT: said, AUDIO: spoken, IMAGE: painted }),
  }
}

function cachedDetails(text: number, units: UnitCounts): JsonObject {
  const [audio, image] = [sum(units.cached_audio_input), sum(units.cached_image_input)]
  return details('cacheTokensDetails', { TEXT: text, AUDIO: audio, IMAGE: image })
}

function details(name: string, counts: Readonly<Record<string, number>>): JsonObject {
  const some = Object.entries(counts).filter(([, tokenCount]) => tokenCount > 0)
  return some.length === 0 ? {} : { [name]: some.map(([modality, tokenCount]) => ({ modality, tokenCount })) }
}

function sum(...counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((all, count) => all + (count ?? 0), 0)
}
