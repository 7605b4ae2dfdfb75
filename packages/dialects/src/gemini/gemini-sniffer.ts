import type { AnswerSniffer } from '../framing/answer-stream.ts'
import type { Verdict } from '../framing/sse-relay.ts'
import { asObject, type JsonObject, parseJson } from '../json-value.ts'
import { errorInside, type UpstreamError } from '../openai-chat/errors.ts'
import { openUsageStream, type UsageReport } from '../usage/usage-report.ts'
import { geminiUsage } from './usage.ts'

/**
 * Watches the events of one stream. Each is parsed: every one tells the usage so far, and there are few, of some fifty tokens.
 * An event with a finish reason is the last one if nothing follows; older models say one with every event.
 */
export class GeminiSniffer implements AnswerSniffer {
  error: UpstreamError | undefined
  finished = false

  private readonly usage = openUsageStream(geminiUsage)

  get report(): UsageReport | undefined {
    return this.usage.report()
  }

  wants(): boolean {
    return true
  }

  judge(data: string): Verdict {
    // Not of this dialect, but servers that speak it by translation let it through.
    if (data.trim() === '[DONE]') return 'drop'
    const parsed = parseJson(data)
    const message = asObject(Array.isArray(parsed) ? (parsed as unknown[])[0] : parsed)
    if (message === undefined) return 'forward'
    this.usage.see(message)
    const error = errorInside(message)
    if (error !== undefined) {
      this.error ??= error
      return 'fail'
    }
    if (!isFinal(message)) return 'forward'
    this.finished = true
    return 'hold'
  }

  isWhole(data: string): boolean {
    return parseJson(data) !== undefined
  }
}

/** A candidate has finished, or the prompt was refused and there will be none. */
function isFinal({ candidates, promptFeedback }: JsonObject): boolean {
  const list: readonly unknown[] = Array.isArray(candidates) ? candidates : []
  return list.some(hasFinished) || Boolean(asObject(promptFeedback)?.['blockReason'])
}

const hasFinished = (candidate: unknown) => Boolean(asObject(candidate)?.['finishReason'])
