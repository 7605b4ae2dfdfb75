import type { AnswerDecoder, Frame } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import type { UpstreamError } from '../canon/upstream-error.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'

/** Coze's event stream. Only messages of type `answer` are the answer; follow-up questions and the bot's own steps are not. */
export function openDecoder(): AnswerDecoder {
  return new CozeDecoder()
}

/** A whole reply is always an error, because only streams are requested. */
export function decodeReply(reply: JsonObject): readonly AnswerEvent[] {
  return [{ type: 'error', error: errorOf(reply) }]
}

type Kind = 'text' | 'reasoning'

class CozeDecoder implements AnswerDecoder {
  #open: Kind | undefined
  #block = -1
  #started = false
  #isDone = false

  push({ name, data }: Frame): readonly AnswerEvent[] {
    const fields = asObject(parseJson(data))
    if (fields === undefined || this.#isDone) return []
    switch (name) {
      case 'conversation.chat.created':
        return this.#start(textOf(fields['id']))
      case 'conversation.message.delta':
        return fields['type'] === 'answer' ? this.#delta(fields) : []
      case 'conversation.chat.completed':
        return this.#complete(fields)
      case 'conversation.chat.failed':
        return this.#fail(errorOf(asObject(fields['last_error']) ?? fields))
      case 'conversation.chat.requires_action':
        return this.#fail({
          ...NO_DETAILS,
          message: 'The bot is waiting for an action that this gateway cannot pass on.',
        })
      case 'error':
        return this.#fail(errorOf(fields))
      default:
        return []
    }
  }

  end(): readonly AnswerEvent[] {
    return []
  }

  /** The first event starts the answer if the usual start message is missing. */
  #start(id = ''): readonly AnswerEvent[] {
    if (this.#started) return []
    this.#started = true
    return [{ type: 'start', id, model: '' }]
  }

  #delta(fields: JsonObject): readonly AnswerEvent[] {
    const events: AnswerEvent[] = [...this.#start()]
    this.#add('reasoning', textOf(fields['reasoning_content']), events)
    this.#add('text', textOf(fields['content']), events)
    return events
  }

  #add(kind: Kind, delta: string, events: AnswerEvent[]): void {
    if (delta === '') return
    if (this.#open !== kind) {
      events.push(...this.#close())
      this.#open = kind
      this.#block++
    }
    events.push({ type: kind, block: this.#block, delta })
  }

  #close(): readonly AnswerEvent[] {
    const wasOpen = this.#open !== undefined
    this.#open = undefined
    return wasOpen ? [{ type: 'block-end', block: this.#block }] : []
  }

  #complete(fields: JsonObject): readonly AnswerEvent[] {
    this.#isDone = true
    const own = asObject(fields['usage'])
    const counts = own && countsOf(own)
    return [
      ...this.#start(),
      ...this.#close(),
      ...(own === undefined ? [] : [{ type: 'usage', report: { counts, reportedNanoUsd: undefined, own } } as const]),
      { type: 'finish', reason: 'stop', raw: 'completed' },
    ]
  }

  #fail(error: UpstreamError): readonly AnswerEvent[] {
    this.#isDone = true
    return [{ type: 'error', error }]
  }
}

const NO_DETAILS = { type: undefined, code: undefined, param: undefined }

/** `{code, msg}`; 4100 and 4101 concern the key, 4013 the rate, 4028 the account's quota. */
function errorOf({ code, msg }: JsonObject): UpstreamError {
  const number = typeof code === 'string' || typeof code === 'number' ? Number(code) : Number.NaN
  const message = textOf(msg) || 'Coze reported an error.'
  return { ...NO_DETAILS, message, code: STATUS_OF.get(number) ?? (Number.isInteger(number) ? number : undefined) }
}

/** HTTP statuses for Coze's codes, by which failures are classified. */
const STATUS_OF: ReadonlyMap<number, number> = new Map([
  [4100, 401],
  [4101, 403],
  [4013, 429],
  [4028, 402],
  [4000, 400],
])

function countsOf({ input_count: input, output_count: output }: JsonObject): TokenCounts | undefined {
  if (!isCount(input) || !isCount(output) || input + output === 0) return undefined
  return { input, cachedInput: 0, cacheWrite5m: 0, cacheWrite1h: 0, output, reasoning: 0 }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
