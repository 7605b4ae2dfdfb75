import { asObject, type JsonObject } from '../json-value.ts'
import { count, divide, tokenCounts } from '../usage/counts.ts'
import { promptClasses } from '../usage/prompt-classes.ts'
import type { UsageReader } from '../usage/usage-report.ts'

/** These models charge a grounded prompt once, however often they search; later ones charge every search. */
const CHARGES_BY_PROMPT = /^(?:models\/)?gemini-[12]\b/

/**
 * Usage of `generateContent` and of each event of `streamGenerateContent`, whose counts are running totals. Thoughts are counted
 * outside the candidates, tool results outside the prompt. Documents are counted and priced as text.
 */
export const geminiUsage: UsageReader = {
  find(message) {
    const own = asObject(message['usageMetadata'])
    const search = searches(message)
    return own && { own, beside: search > 0 ? { search } : undefined }
  },
  read({ own, beside }) {
    const tool = count(own['toolUsePromptTokenCount']) ?? 0
    const prompt = (count(own['promptTokenCount']) ?? 0) + tool
    const thoughts = count(own['thoughtsTokenCount']) ?? 0
    const reported = count(own['candidatesTokenCount'])
    const total = count(own['totalTokenCount']) ?? 0
    const candidates = reported ?? Math.max(0, total - prompt - thoughts)
    const of = (list: string, modality: string) => tokensOf(own[list], modality)
    const both = (modality: string) => of('promptTokensDetails', modality) + of('toolUsePromptTokensDetails', modality)
    const output = divide(candidates, {
      audio: of('candidatesTokensDetails', 'AUDIO'),
      image: of('candidatesTokensDetails', 'IMAGE'),
    })
    const classes = promptClasses(prompt, {
      audio: both('AUDIO'),
      image: both('IMAGE'),
      video: both('VIDEO'),
      cached: count(own['cachedContentTokenCount']) ?? 0,
      cachedAudio: of('cacheTokensDetails', 'AUDIO'),
      cachedImage: of('cacheTokensDetails', 'IMAGE'),
      cachedVideo: of('cacheTokensDetails', 'VIDEO'),
    })
    return {
      counts: tokenCounts({
        ...classes,
        output: output.rest + thoughts,
        reasoning: thoughts,
        units: { ...classes.units, audio_output: output.audio, image_output: output.image, ...beside },
      }),
      reportedNanoUsd: undefined,
      own,
    }
  },
}

/** Tokens of one modality in a list of `{modality, tokenCount}`. */
function tokensOf(details: unknown, modality: string): number {
  const list = (Array.isArray(details) ? details : []).map(asObject)
  return list.reduce((sum, item) => sum + (item?.['modality'] === modality ? (count(item['tokenCount']) ?? 0) : 0), 0)
}

/** Chargeable web searches that ground the answer. */
function searches(message: JsonObject): number {
  const candidates: unknown = message['candidates']
  const first = asObject(Array.isArray(candidates) ? candidates[0] : undefined)
  const queries = asObject(first?.['groundingMetadata'])?.['webSearchQueries']
  const made = Array.isArray(queries) ? queries.filter((query) => query !== '').length : 0
  const model = message['modelVersion']
  return typeof model === 'string' && CHARGES_BY_PROMPT.test(model) ? Math.min(made, 1) : made
}
