import type { AnswerDecoder, Frame } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { errorInside, readUpstreamError, type UpstreamError } from '../canon/upstream-error.ts'
import { isTorn, TORN_EVENT } from '../framing/torn-event.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { openUsageStream } from '../usage/usage-report.ts'
import { AnswerBlocks } from './answer-blocks.ts'
import { DeltaReader } from './decode-delta.ts'
import { decodeFinish, isBroken } from './finish.ts'
import { chatUsage } from './usage.ts'

export interface ChatDecoderOptions {
  /** Answers may begin with thoughts between `<think>` and `</think>`. */
  readonly thinkTags: boolean
}

export function openChatDecoder(options: ChatDecoderOptions): AnswerDecoder {
  return new ChatDecoder(options)
}

/** Reads the message of a whole reply as the only piece of a stream. */
export function decodeReply(reply: JsonObject, options: ChatDecoderOptions): readonly AnswerEvent[] {
  const decoder = new ChatDecoder(options)
  const events = decoder.take(asChunk(reply))
  return [...events, ...decoder.endWhole()]
}

const DONE = '[DONE]'

class ChatDecoder implements AnswerDecoder {
  #id = ''
  #model = ''
  #started = false
  #over = false
  /** The provider's finish word, once received. */
  #finish: string | undefined
  #stopSequence: string | undefined
  /** The number of the only parallel answer that is read. */
  #choice: unknown
  readonly #usage = openUsageStream(chatUsage)
  readonly #blocks = new AnswerBlocks(() => this.#id.replace(/[^A-Za-z0-9_-]/g, ''))
  readonly #delta: DeltaReader

  constructor(options: ChatDecoderOptions) {
    this.#delta = new DeltaReader(this.#blocks, options)
  }

  push({ name, data }: Frame): readonly AnswerEvent[] {
    if (this.#over) return []
    if (data.trim() === DONE) return this.#finished(this.#finish ?? '')
    if (name === 'error') return this.#fail(readUpstreamError(new TextEncoder().encode(data)))
    const chunk = asObject(parseJson(data))
    if (chunk !== undefined) return this.take(chunk)
    return isTorn(data) ? this.#fail(TORN_EVENT) : []
  }

  take(chunk: JsonObject): readonly AnswerEvent[] {
    if (this.#over) return []
    const error = errorInside(chunk)
    if (error !== undefined) return this.#fail(error)
    const out: AnswerEvent[] = []
    if (typeof chunk['id'] === 'string') this.#id ||= chunk['id']
    if (typeof chunk['model'] === 'string') this.#model ||= chunk['model']
    const choice = this.#choiceOf(chunk['choices'])
    if (choice !== undefined) this.#read(choice, out)
    if (chatUsage.find(chunk) !== undefined) {
      this.#start(out)
      this.#usage.see(chunk)
      const report = this.#usage.report()
      if (report !== undefined) out.push({ type: 'usage', report })
    }
    if (this.#blocks.overflowed) return this.#fail(TOO_MUCH)
    if (this.#finish !== undefined && isBroken(this.#finish)) out.push(...this.#fail(brokenOff(this.#finish)))
    return out
  }

  end(): readonly AnswerEvent[] {
    return this.#over || this.#finish === undefined ? [] : this.#finished(this.#finish)
  }

  /** A whole answer is complete even without a finish reason. */
  endWhole(): readonly AnswerEvent[] {
    return this.#over || this.#choice === undefined ? [] : this.#finished(this.#finish ?? '')
  }

  /** The first answer of a chunk that may hold several; the others were not requested. */
  #choiceOf(choices: unknown): JsonObject | undefined {
    const list: readonly unknown[] = Array.isArray(choices) ? choices : []
    for (const item of list) {
      const choice = asObject(item)
      if (choice === undefined) continue
      const { index = 0 } = choice
      this.#choice ??= index
      if (index === this.#choice) return choice
    }
    return undefined
  }

  #read(choice: JsonObject, out: AnswerEvent[]): void {
    this.#start(out)
    const delta = asObject(choice['delta']) ?? asObject(choice['message'])
    if (delta !== undefined) this.#delta.read(delta, out)
    const { finish_reason: finish, stop_reason: stop } = choice
    if (typeof finish === 'string' && finish !== '') this.#finish = finish
    // vLLM reports which stop word ended the answer.
    if (typeof stop === 'string' && stop !== '') this.#stopSequence = stop
  }

  #start(out: AnswerEvent[]): void {
    if (!this.#started) out.push({ type: 'start', id: this.#id, model: this.#model })
    this.#started = true
  }

  #finished(raw: string): readonly AnswerEvent[] {
    const out: AnswerEvent[] = []
    this.#start(out)
    this.#delta.end(out)
    this.#blocks.end(out)
    this.#over = true
    const reason = decodeFinish(raw, this.#blocks.calledTools)
    const stopSequence = this.#stopSequence
    out.push({ type: 'finish', reason, raw, ...(stopSequence === undefined ? {} : { stopSequence }) })
    return out
  }

  #fail(error: UpstreamError): readonly AnswerEvent[] {
    this.#over = true
    return [{ type: 'error', error }]
  }
}

const TOO_MUCH: UpstreamError = {
  message: 'the provider kept more of the answer back than any answer holds',
  type: undefined,
  code: undefined,
  param: undefined,
}

function brokenOff(raw: string): UpstreamError {
  return { message: `the provider interrupted its answer: ${raw}`, type: undefined, code: raw, param: undefined }
}

/** Replies do not number their calls, so their order distinguishes them. */
function asChunk(reply: JsonObject): JsonObject {
  const choices: readonly unknown[] = Array.isArray(reply['choices']) ? reply['choices'] : []
  const choice = asObject(choices[0])
  const message = asObject(choice?.['message'])
  const calls: unknown = message?.['tool_calls']
  if (choice === undefined || message === undefined || !Array.isArray(calls)) return reply
  const numbered = calls.map((call, index) => ({ ...asObject(call), index }))
  return { ...reply, choices: [{ ...choice, message: { ...message, tool_calls: numbered } }] }
}
