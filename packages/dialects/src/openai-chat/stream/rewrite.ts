import { type BodyRefusal, invalidField, isBodyRefusal } from '../../body-refusal.ts'
import { isNull, refuseScan } from '../../request-fields.ts'
import { keySet } from '../../splice/key-set.ts'
import { arrayElements, isScanFault, parseScalar, scanObject, type Span } from '../../splice/scan.ts'
import { insertText, type Splice } from '../../splice/splice.ts'
import type { ChatRequest } from '../identify.ts'

/** Changes for the upstream. Absent members leave the body unchanged. */
export interface ChatEdits {
  /** The upstream's name for the model. */
  readonly model?: string
  /** Requests the usage chunk of a stream (`stream_options.include_usage`); no effect on a plain call. */
  readonly askUsage?: boolean
  /** Replaces the content of the first system or developer message, or becomes such a message at the start. Empty: no change. */
  readonly systemPrompt?: string
}

const STREAM_OPTION_KEYS = keySet('include_usage')
const MESSAGE_KEYS = keySet('role', 'content')

/**
 * The edits as splices for `splice(body, …)`; empty if nothing changes. `request` must come from the same body. Refuses only if a
 * system prompt must be set and a message up to and including the system message is not an object, or has its role or content
 * twice.
 */
export function rewriteChat(body: Uint8Array, request: ChatRequest, edits: ChatEdits): readonly Splice[] | BodyRefusal {
  const splices: Splice[] = []
  if (edits.model !== undefined && edits.model !== request.model)
    splices.push(replaceText(request.spans.model, edits.model))
  if (edits.askUsage === true && request.stream && !request.wantsUsage) splices.push(askUsage(body, request.spans))
  if (edits.systemPrompt !== undefined && edits.systemPrompt !== '') {
    const prompt = setSystemPrompt(body, request.spans.messages, edits.systemPrompt)
    if (isBodyRefusal(prompt)) return prompt
    splices.push(prompt)
  }
  return splices
}

export function askUsage(
  body: Uint8Array,
  { body: object, streamOptions }: Pick<ChatRequest['spans'], 'body' | 'streamOptions'>,
): Splice {
  // The body contains at least a model, so the inserted member always needs a comma.
  if (streamOptions === undefined) return insertText(object.start + 1, '"stream_options":{"include_usage":true},')
  if (isNull(body, streamOptions)) return replace(streamOptions, '{"include_usage":true}')
  const options = scanObject(body, STREAM_OPTION_KEYS, { at: streamOptions.start, end: streamOptions.end })
  if (isScanFault(options)) throw new Error('stream options changed after they were read')
  const { include_usage: value } = options.values
  if (value !== undefined) return replace(value, 'true')
  const others = body.subarray(streamOptions.start + 1, streamOptions.end - 1).some((byte) => byte > 0x20)
  return insertText(streamOptions.start + 1, others ? '"include_usage":true,' : '"include_usage":true')
}

function setSystemPrompt(body: Uint8Array, messages: Span, prompt: string): Splice | BodyRefusal {
  const content = JSON.stringify(prompt)
  let index = 0
  for (const element of arrayElements(body, messages)) {
    const path = `messages[${index++}]`
    const message = scanObject(body, MESSAGE_KEYS, { at: element.start, end: element.end })
    if (isScanFault(message)) return refuseScan(message, path)
    const { role, content: old } = message.values
    if (role === undefined) return invalidField(`${path}.role`, 'is required')
    const name = parseScalar(body, role)
    if (name !== 'system' && name !== 'developer') continue
    return old === undefined ? insertText(element.start + 1, `"content":${content},`) : replace(old, content)
  }
  return insertText(messages.start + 1, `{"role":"system","content":${content}},`)
}

export function replaceText(span: Span, text: string): Splice {
  return replace(span, JSON.stringify(text))
}

function replace({ start, end }: Span, text: string): Splice {
  return { start, end, bytes: new TextEncoder().encode(text) }
}
