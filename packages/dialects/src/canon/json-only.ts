import type { Part } from './parts.ts'
import type { CanonRequest } from './request.ts'

/** What a model is told so that it answers in JSON of no particular shape, where a field for that is missing or not enough. */
export const JSON_ONLY = 'Answer with one JSON object and nothing else.'

/**
 * Whether OpenAI would refuse the request: the messages must mention JSON if it is requested without a schema. Its own clients know
 * that; Gemini's do not, because Gemini does not require it. `parts` are those at the beginning: the answer must stay the same while
 * the conversation grows, or prompt caches would be missed.
 */
export function lacksJsonWord({ format, extra }: CanonRequest, parts: readonly Part[]): boolean {
  return format?.type === 'json' && !extra.dialect.startsWith('openai-') && !parts.some(isAboutJson)
}

function isAboutJson(part: Part): boolean {
  return part.kind === 'text' && /json/i.test(part.text)
}
