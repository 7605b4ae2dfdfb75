import { openSseParser } from '@sluice/dialects/framing/sse'
import { faultsOf, type ReplyKind } from './reply-faults.ts'

/** Calls with published types for their replies: for whole replies, and for stream events. */
const KINDS: readonly (readonly [path: RegExp, plain: ReplyKind, event?: ReplyKind])[] = [
  [/\/chat\/completions$/, 'chat', 'chat-event'],
  [/\/v1\/completions$/, 'completion', 'completion'],
  [/\/v1\/embeddings$/, 'embeddings'],
  [/\/v1\/moderations$/, 'moderation'],
  [/\/v1\/responses\/compact$/, 'compaction'],
  [/\/v1\/responses(?:\/resp_\w+)?$/, 'response', 'response-event'],
  [/\/v1\/messages$/, 'message', 'message-event'],
  [/\/v1\/messages\/count_tokens$/, 'message-count'],
]

/** Events without a published type: clients skip `ping` and raise `error`. */
const BESIDE: ReadonlySet<unknown> = new Set(['ping', 'error'])

/** Violations of the published types in a successful reply; empty for calls without types. */
export function faultsOfReply(path: string, contentType: string, body: string): readonly string[] {
  const [, plain, event] = KINDS.find(([pattern]) => pattern.test(path)) ?? []
  if (plain === undefined) return []
  if (!contentType.startsWith('text/event-stream')) return faultsOf(plain, JSON.parse(body))
  if (event === undefined) return [`${path} is answered with a stream`]
  return dataOf(body).flatMap((data) => {
    const value = JSON.parse(data) as { readonly type?: string; readonly error?: unknown }
    // Errors of the chat dialect have no published type.
    if (BESIDE.has(value.type) || value.error !== undefined) return []
    return faultsOf(event, value).map((fault) => `${value.type ?? ''} ${fault}`)
  })
}

function dataOf(body: string): readonly string[] {
  const events = openSseParser().push(new TextEncoder().encode(body))
  return events.map(({ data }) => data).filter((data) => data !== '' && data !== '[DONE]')
}
