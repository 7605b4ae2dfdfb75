import type { FinishEvent, FinishReason } from '../canon/events.ts'

/** The model failed; the answer counts only if content came before. */
const FAILURES = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'NO_IMAGE',
  'IMAGE_OTHER',
  'OTHER',
])
const FILTERED = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'LANGUAGE',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

/** Undefined if the model failed without any content. */
export function finishOf(
  word: string,
  { hasTools, hasContent }: { readonly hasTools: boolean; readonly hasContent: boolean },
): FinishReason | undefined {
  if (word === 'MAX_TOKENS') return 'length'
  if (FILTERED.has(word)) return 'content-filter'
  if (FAILURES.has(word) && !hasContent) return undefined
  return hasTools ? 'tool-calls' : 'stop'
}

/** Gemini's word for a finish; a word that came from Gemini is kept. */
export function finishWord({ reason, raw }: FinishEvent): string {
  switch (reason) {
    case 'length':
      return 'MAX_TOKENS'
    case 'content-filter':
      return FILTERED.has(raw) ? raw : 'SAFETY'
    case 'stop':
    case 'tool-calls':
      return FAILURES.has(raw) ? raw : 'STOP'
  }
}
