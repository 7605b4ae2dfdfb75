import { ERROR_MEMBERS } from './canon/upstream-error.ts'
import type { JsonObject } from './json-value.ts'
import { keySet } from './splice/key-set.ts'
import { arrayElements, isScanFault, parseSpan, scanObject, type ScannedObject, type Span } from './splice/scan.ts'

const KEYS = keySet('usage', 'meta', 'duration', 'text', 'data', 'images', ...ERROR_MEMBERS)
/** Bytes; larger elements contain the result itself, not data about it. */
const ELEMENT_LIMIT = 4_096
/** Maximum elements that are examined; no provider generates as many pictures in one call. */
const ELEMENTS_LIMIT = 64

/**
 * The members of a whole JSON reply from which usage and errors are read. Only small ones are parsed, because parsing a picture or
 * a thousand vectors would delay every other stream. `data` and `images` become lists of the same length (at most 64), with large
 * elements empty.
 */
export function replyMembers(body: Uint8Array): { readonly members: JsonObject } | { readonly invalid: string } {
  const scanned = scanObject(body, KEYS, { duplicates: 'last' })
  if (isScanFault(scanned)) return { invalid: scanned.fault === 'syntax' ? scanned.reason : 'it is not a JSON object' }
  const members = parseMembers(body, scanned, ['usage', 'meta', 'duration', 'text', ...ERROR_MEMBERS])
  for (const name of ['data', 'images'] as const) {
    const span = scanned.values[name]
    if (span !== undefined && body[span.start] === 0x5b) members[name] = outline(body, span)
  }
  return { members }
}

export function parseMembers(
  body: Uint8Array,
  scanned: ScannedObject<string>,
  keys: readonly string[],
): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const key of keys) {
    const span = scanned.values[key]
    if (span !== undefined) members[key] = parseSpan(body, span)
  }
  return members
}

function outline(body: Uint8Array, list: Span): readonly unknown[] {
  const elements: unknown[] = []
  for (const span of arrayElements(body, list)) {
    if (elements.length === ELEMENTS_LIMIT) break
    elements.push(span.end - span.start > ELEMENT_LIMIT ? {} : parseSpan(body, span))
  }
  return elements
}
