import type { Part } from './parts.ts'
import type { CanonRequest } from './request.ts'

/** What a model is told that shall answer in JSON of no particular shape, where a field for it is missing or not enough. */
export const JSON_ONLY = 'Answer with one JSON object and nothing else.'

/**
 * Whether OpenAI would refuse the request: JSON without a schema is to be spoken of in the messages. Its own clients know
 * that; Gemini's do not, as theirs needs no such word.
 */
export function lacksJsonWord({ format, extra }: CanonRequest, parts: readonly Part[]): boolean {
  return format?.type === 'json' && !extra.dialect.startsWith('openai-') && !parts.some(isAboutJson)
}

function isAboutJson(part: Part): boolean {
  return part.kind === 'text' && /json/i.test(part.text)
}
