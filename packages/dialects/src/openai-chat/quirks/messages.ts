import { digest } from '../../canon/digest.ts'
import type { Losses } from '../../canon/losses.ts'
import { asObject, type JsonObject } from '../../json-value.ts'
import type { Fit } from './apply-quirks.ts'
import type { Quirk } from './quirk.ts'

/** Members of messages that Mistral does not know. */
const UNKNOWN = [
  'refusal',
  'annotations',
  'audio',
  'function_call',
  'reasoning_content',
  'reasoning_details',
  'reasoning',
]

export const fitMessages: Fit = (body, quirks, losses) => {
  const messages = body['messages']
  if (!Array.isArray(messages)) return
  const ids = quirks.has('short-tool-ids') ? new ShortToolIds() : undefined
  const isThinking = asObject(body['thinking'])?.['type'] !== 'disabled'
  body['messages'] = messages.map((message: unknown, at) => {
    const asked = asObject(message)
    if (asked === undefined) return message
    const mustGoOn = quirks.has('known-fields-only') && at > 0 && at === messages.length - 1 && isUnfinished(asked)
    if (mustGoOn) losses.changed('messages')
    const given = mustGoOn ? { ...asked, prefix: true } : asked
    const fitted = fitMessage(given, quirks, losses)
    const owed = quirks.has('needs-reasoning') && isThinking && owesReasoning(fitted)
    const translated = owed ? { ...fitted, reasoning_content: '' } : fitted
    return ids === undefined ? translated : ids.rewrite(translated)
  })
}

function fitMessage(message: JsonObject, quirks: ReadonlySet<Quirk>, losses: Losses): JsonObject {
  const { role, content, tool_calls: calls, name } = message
  const members: Record<string, unknown> = { ...message }
  if (quirks.has('no-developer') && role === 'developer') members['role'] = 'system'
  const isPlain = quirks.has('string-content') || (quirks.has('string-tool-content') && role === 'tool')
  if (isPlain) members['content'] = joinedText(content)
  if (quirks.has('no-null-content') && calls !== undefined) members['content'] ??= ''
  if (quirks.has('no-logprobs') && name !== undefined && role !== 'tool' && role !== 'function') {
    delete members['name']
    losses.dropped('messages[].name')
  }
  if (quirks.has('known-fields-only')) {
    for (const unknown of UNKNOWN) {
      if (isSaid(members[unknown])) losses.dropped(unknown)
      delete members[unknown]
    }
  }
  return members
}

/** Joins a list that contains only texts; other content stays unchanged. */
function joinedText(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const parts = content.map(asObject)
  if (!parts.every((part) => part?.['type'] === 'text' && typeof part['text'] === 'string')) return content
  return parts.map((part) => part?.['text']).join('\n')
}

/** An answer that the model should continue: Mistral refuses it without this field. */
function isUnfinished({ role, tool_calls: calls, prefix }: JsonObject): boolean {
  return role === 'assistant' && calls === undefined && prefix !== true
}

function owesReasoning({ role, tool_calls: calls, reasoning_content: reasoning }: JsonObject): boolean {
  return role === 'assistant' && Array.isArray(calls) && calls.length > 0 && typeof reasoning !== 'string'
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

const SHORT = /^[A-Za-z0-9]{9}$/
const LENGTH = 9

/**
 * Replaces unsuitable call ids by nine letters and digits, derived from the id, so that each turn of a conversation repeats them.
 */
class ShortToolIds {
  readonly #known = new Map<string, string>()
  readonly #taken = new Set<string>()

  rewrite(message: JsonObject): JsonObject {
    const { tool_calls: calls, tool_call_id: answered } = message
    return {
      ...message,
      ...(Array.isArray(calls) ? { tool_calls: calls.map((call: unknown) => this.#rewriteCall(call)) } : {}),
      ...(typeof answered === 'string' ? { tool_call_id: this.#shortOf(answered) } : {}),
    }
  }

  #rewriteCall(call: unknown): unknown {
    const { id } = asObject(call) ?? {}
    return typeof id === 'string' ? { ...asObject(call), id: this.#shortOf(id) } : call
  }

  #shortOf(id: string): string {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    let short = SHORT.test(id) ? id : digest(id, LENGTH)
    for (let again = 1; this.#taken.has(short); again++) short = digest(`${id} ${again}`, LENGTH)
    this.#taken.add(short)
    this.#known.set(id, short)
    return short
  }
}
