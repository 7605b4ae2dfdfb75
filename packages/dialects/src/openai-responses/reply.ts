import { type DeliveredText, textOfReply } from '../canon/delta-text.ts'
import { ERROR_MEMBERS, errorInside, type UpstreamError } from '../canon/upstream-error.ts'
import { asObject } from '../json-value.ts'
import { parseMembers } from '../reply-members.ts'
import { keySet } from '../splice/key-set.ts'
import { arrayElements, isScanFault, scanObject, type Span } from '../splice/scan.ts'
import { outputCounted } from '../token-counts.ts'
import { type UsageReport, usageOfReply } from '../usage/usage-report.ts'
import { errorIn } from './answer-errors.ts'
import { responsesUsage } from './usage.ts'

/** The members of a whole response that the gateway reads; the bytes themselves pass through. */
export interface ResponsesReply {
  readonly usage: UsageReport | undefined
  /** The response failed, or is an error with a success status. */
  readonly error: UpstreamError | undefined
  /** Text, reasoning and arguments for counting; undefined if the usage already counts output. */
  readonly delivered: DeliveredText | undefined
  /** Ids of the response and of its items. */
  readonly ids: readonly string[]
  /** Containers in which the response was made. */
  readonly objects: readonly string[]
}

const KEYS = keySet('id', 'status', 'output', 'usage', 'tool_usage', ...ERROR_MEMBERS)
const ITEM_MEMBERS = ['id', 'type', 'action', 'container_id'] as const
const ITEM_KEYS = keySet(...ITEM_MEMBERS)

/** Parses only small members, never the answer. `invalid` says why it is not a JSON object. */
export function readResponse(body: Uint8Array): ResponsesReply | { readonly invalid: string } {
  const scanned = scanObject(body, KEYS, { duplicates: 'last' })
  if (isScanFault(scanned)) return { invalid: scanned.fault === 'syntax' ? scanned.reason : 'it is not a JSON object' }
  const items = outline(body, scanned.values.output)
  const members = parseMembers(body, scanned, ['id', 'status', 'usage', 'tool_usage', ...ERROR_MEMBERS])
  const error = typeof members['status'] === 'string' ? errorIn(members) : errorInside(members)
  const usage = usageOfReply(responsesUsage, { ...members, output: items })
  const isUncounted = outputCounted(usage?.counts) === 0 && error === undefined
  return {
    usage,
    error,
    delivered: isUncounted ? textIn(body, scanned.values.output) : undefined,
    ids: idsOf(members, items),
    objects: containersOf(items),
  }
}

/** Ids of a response and of its items, by which later calls can refer to them. */
export function idsOf(response: { readonly id?: unknown }, items: unknown): readonly string[] {
  const ids = [response.id, ...(Array.isArray(items) ? items.map((item) => asObject(item)?.['id']) : [])]
  return ids.filter((id) => typeof id === 'string' && id !== '') as readonly string[]
}

/** Containers of items, in which later calls can continue. */
export function containersOf(items: unknown): readonly string[] {
  const ids = Array.isArray(items) ? items.map((item) => asObject(item)?.['container_id']) : []
  return [...new Set(ids)].filter((id) => typeof id === 'string' && id !== '') as readonly string[]
}

/** The type of each item, without its content. */
function outline(body: Uint8Array, output: Span | undefined): readonly Record<string, unknown>[] {
  if (output === undefined || body[output.start] !== 0x5b) return []
  const items: Record<string, unknown>[] = []
  for (const { start, end } of arrayElements(body, output)) {
    const item = scanObject(body, ITEM_KEYS, { at: start, end, duplicates: 'last' })
    items.push(isScanFault(item) ? {} : parseMembers(body, item, ITEM_MEMBERS))
  }
  return items
}

function textIn(body: Uint8Array, output: Span | undefined): DeliveredText {
  return textOfReply(output === undefined ? new Uint8Array(0) : body.subarray(output.start, output.end))
}
