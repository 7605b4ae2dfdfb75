import type { Part } from './parts.ts'
import type { CanonRequest } from './request.ts'

/** Makes a model answer in JSON of any shape, if there is no field for that or the field is not sufficient. */
export const JSON_ONLY = 'Answer with one JSON object and nothing else.'

/**
 * Whether OpenAI would refuse the request: the messages must mention JSON if it is requested without a schema. Gemini's clients do
 * not know that, because Gemini does not require it. `parts` are from the beginning of the conversation: the result must stay the
 * same while it grows, or prompt caches would be missed.
 */
export function lacksJsonWord({ format, extra }: CanonRequest, parts: readonly Part[]): boolean {
  return format?.type === 'json' && !extra.dialect.startsWith('openai-') && !parts.some(isAboutJson)
}

function isAboutJson(part: Part): boolean {
  return part.kind === 'text' && /json/i.test(part.text)
}
