import type { DeliveredText } from '../canon/delta-text.ts'
import { ERROR_MEMBERS, errorInside, type UpstreamError } from '../canon/upstream-error.ts'
import { asObject, parseJson } from '../json-value.ts'
import { referencesOf } from '../references.ts'
import { parseMembers } from '../reply-members.ts'
import { keySet } from '../splice/key-set.ts'
import { isScanFault, scanObject } from '../splice/scan.ts'
import { outputCounted } from '../token-counts.ts'
import { type UsageReport, usageOfReply } from '../usage/usage-report.ts'
import { containerOf, MADE_FILES } from './stored-objects.ts'
import { messagesUsage } from './usage.ts'

/** The members of a whole message that the gateway reads; the bytes themselves pass through. */
export interface MessageReply {
  readonly usage: UsageReport | undefined
  /** An error with a success status. */
  readonly error: UpstreamError | undefined
  /** Text, thoughts and arguments for counting; undefined if the usage already counts output. */
  readonly delivered: DeliveredText | undefined
  readonly ids: readonly string[]
  /** Its container, and the files created in it. */
  readonly objects: readonly string[]
}

const KEYS = keySet('id', 'container', 'content', 'usage', ...ERROR_MEMBERS)

/** Parses the answer only if it must be counted here. `invalid` says why it is not a JSON object. */
export function readMessage(body: Uint8Array): MessageReply | { readonly invalid: string } {
  const scanned = scanObject(body, KEYS, { duplicates: 'last' })
  if (isScanFault(scanned)) return { invalid: scanned.fault === 'syntax' ? scanned.reason : 'it is not a JSON object' }
  const members = parseMembers(body, scanned, ['id', 'container', 'usage', ...ERROR_MEMBERS])
  const error = errorInside(members)
  const usage = usageOfReply(messagesUsage, members)
  const isUncounted = outputCounted(usage?.counts) === 0 && error === undefined
  const { content } = scanned.values
  const text = isUncounted && content !== undefined ? textOf(body.subarray(content.start, content.end)) : ''
  const ids = typeof members['id'] === 'string' ? [members['id']] : []
  const files = scanned.mayRefer ? referencesOf(body, content, MADE_FILES) : []
  const objects = [...containerOf(members), ...files]
  return { usage, error, ids, objects, delivered: isUncounted ? { text, beyondBytes: 0 } : undefined }
}

function textOf(content: Uint8Array): string {
  const blocks = parseJson(new TextDecoder().decode(content))
  return (Array.isArray(blocks) ? blocks : []).map(textOfBlock).join('')
}

function textOfBlock(value: unknown): string {
  const { text, thinking, input } = asObject(value) ?? {}
  if (typeof text === 'string') return text
  if (typeof thinking === 'string') return thinking
  return input === undefined ? '' : JSON.stringify(input)
}
