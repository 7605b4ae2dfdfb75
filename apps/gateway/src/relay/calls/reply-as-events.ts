import { doneEvent } from '@sluice/dialects/canon/upstream-error'

/** For providers that ignore `stream: true`: one chunk with the whole reply, then usage if requested. `body` is a JSON object. */
export function replyAsEvents(body: Uint8Array, wantsUsage: boolean): Uint8Array {
  const reply = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>
  const { usage, choices, ...rest } = reply
  const head = { ...rest, object: 'chat.completion.chunk' }
  const chunks: object[] = [{ ...head, choices: asList(choices).map(asDelta) }]
  if (wantsUsage && usage !== undefined) chunks.push({ ...head, choices: [], usage })
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  return Buffer.concat([Buffer.from(events), doneEvent()])
}

function asDelta(choice: unknown, index: number): object {
  const { message, ...rest } = asObject(choice)
  const { tool_calls: calls, ...text } = asObject(message)
  const delta = calls === undefined ? text : { ...text, tool_calls: asList(calls).map(withIndex) }
  return { index, ...rest, delta }
}

/** Chunks number their tool calls; replies do not. */
const withIndex = (call: unknown, index: number) => ({ index, ...asObject(call) })

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
