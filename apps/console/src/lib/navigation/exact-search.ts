import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import * as v from 'valibot'

/**
 * Reads JSON only if the text can be recovered from it: codes and tokens that look like numbers (`007`, `1e5`, twenty digits) stay
 * texts. Throws otherwise, as the router expects.
 */
function exactValue(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value === 'number' && String(value) !== text) throw new SyntaxError('not this number')
  return value
}

export const exactSearch = {
  parseSearch: parseSearchWith(exactValue),
  stringifySearch: stringifySearchWith(JSON.stringify, exactValue),
}

/** A parameter that is always a text, whatever it looks like; an absent or repeated parameter is an empty text. */
export const textParameter = v.optional(
  v.fallback(v.pipe(v.union([v.string(), v.number(), v.boolean(), v.null()]), v.transform(String)), ''),
  '',
)
