import type { AnswerDecoder, Frame } from '../canon/codec.ts'
import type { AnswerEvent } from '../canon/events.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { errorInside } from '../openai-chat/errors.ts'
import { openUsageStream } from '../usage/usage-report.ts'
import { AnswerBlocks } from './answer-blocks.ts'
import { citationsOf } from './citations.ts'
import { finishOf } from './finish.ts'
import { geminiUsage } from './usage.ts'

/**
 * Reads `streamGenerateContent`. Every event is a `GenerateContentResponse` whose parts are pieces. There is no terminal
 * message, and some models say a finish reason with every event, so the finish is told at the end of input.
 */
export function openGeminiDecoder(): AnswerDecoder {
  return new GeminiDecoder()
}

/** A whole reply as the events that it would have been. */
export function decodeGeminiReply(reply: JsonObject): readonly AnswerEvent[] {
  const decoder = new GeminiDecoder()
  return [...decoder.take(reply), ...decoder.end()]
}

class GeminiDecoder implements AnswerDecoder {
  private isOver = false
  private hasStarted = false
  private finishWord = ''
  private finishMessage = ''
  private isBlocked = false
  private readonly usage = openUsageStream(geminiUsage)
  private readonly blocks = new AnswerBlocks()

  push({ data }: Frame): readonly AnswerEvent[] {
    if (this.isOver || data.trim() === '' || data.trim() === '[DONE]') return []
    const parsed = parseJson(data)
    // Errors stand in a list at times, and a stream without `alt=sse` is one.
    const events: AnswerEvent[] = []
    for (const item of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) {
      const message = asObject(item)
      events.push(
        ...(message === undefined ? this.fail('the provider sent an event that cannot be read') : this.take(message)),
      )
    }
    return events
  }

  end(): readonly AnswerEvent[] {
    if (this.isOver || this.finishWord === '') return []
    const { hasTools, hasContent } = this.blocks
    const reason = this.isBlocked ? 'content-filter' : finishOf(this.finishWord, { hasTools, hasContent })
    if (reason === undefined) {
      return this.fail(this.finishMessage || `the model failed: ${this.finishWord}`, this.finishWord)
    }
    this.isOver = true
    return [...this.blocks.close(), { type: 'finish', reason, raw: this.finishWord }]
  }

  take(message: JsonObject): readonly AnswerEvent[] {
    if (this.isOver) return []
    const error = errorInside(message)
    if (error !== undefined) {
      this.isOver = true
      return [{ type: 'error', error }]
    }
    const events: AnswerEvent[] = []
    if (!this.hasStarted) {
      this.hasStarted = true
      const id = textOf(message['responseId'])
      this.blocks.seed = id
      events.push({ type: 'start', id, model: textOf(message['modelVersion']) })
    }
    const candidate = firstCandidate(message['candidates'])
    const parts = asObject(candidate?.['content'])?.['parts']
    for (const part of Array.isArray(parts) ? parts : []) {
      const fields = asObject(part)
      if (fields !== undefined) events.push(...this.blocks.add(fields))
    }
    for (const citation of citationsOf(candidate, this.blocks.text)) events.push(...this.blocks.cite(citation))
    this.noteFinish(message, candidate)
    this.usage.see(message)
    const report = asObject(message['usageMetadata']) && this.usage.report()
    if (report !== undefined) events.push({ type: 'usage', report })
    return events
  }

  private noteFinish(message: JsonObject, candidate: JsonObject | undefined): void {
    const word = textOf(candidate?.['finishReason'])
    if (word !== '' && word !== 'FINISH_REASON_UNSPECIFIED') this.finishWord = word
    this.finishMessage = textOf(candidate?.['finishMessage']) || this.finishMessage
    const blocked = textOf(asObject(message['promptFeedback'])?.['blockReason'])
    // A prompt that is refused gets no candidate at all.
    if (blocked === '' || this.finishWord !== '') return
    this.isBlocked = true
    this.finishWord = blocked
  }

  private fail(message: string, code?: string): readonly AnswerEvent[] {
    this.isOver = true
    const error = { message, type: 'upstream_error', code, param: undefined }
    return [{ type: 'error', error }]
  }
}

/** Other candidates are left out: the events of an answer tell of one. */
function firstCandidate(candidates: unknown): JsonObject | undefined {
  const list = (Array.isArray(candidates) ? candidates : []).map(asObject)
  return list.find((candidate) => (candidate?.['index'] ?? 0) === 0)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
