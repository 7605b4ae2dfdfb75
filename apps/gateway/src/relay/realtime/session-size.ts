import type { ClientEvent } from '@sluice/dialects/openai-realtime/client-event'
import type { ServerEvent } from '@sluice/dialects/openai-realtime/server-event'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { outputCounted } from '@sluice/dialects/token-counts'
import { promptTokens } from '@sluice/providers/prices/chargeable'
import type { Quote } from '@sluice/providers/prices/quote'
import { plainCounts, type UsageBound } from '../calls/asked.ts'
import { promptBound } from '../calls/call-bounds.ts'

/** What is held for the user's part of the next response: two minutes of sound, as the family has it. */
const START_TOKENS = 1_200
/** OpenAI's own limit to a response. */
const RESPONSE_TOKENS = 4_096
/** Base64 of the densest format, 8,000 bytes a second, at ten tokens a second; others have fewer tokens. */
const APPENDED_BYTES_PER_TOKEN = 1_000
/** Denser than any text that providers sell. */
const TEXT_BYTES_PER_TOKEN = 3
const PCM_BYTES_PER_TOKEN = 2_400

/**
 * How large the next response of a session can be, and how much of the running ones was made: from the bytes that pass, until the
 * provider counts. Every response reads the whole conversation again.
 */
export class SessionSize {
  /** Responses that the client asked for and that have not ended. */
  private wanted = 0
  private conversation = 0
  private fresh = 0
  private audioBytes = 0
  private textBytes = 0
  private bytesPerToken = PCM_BYTES_PER_TOKEN
  /** A response has begun and not ended. */
  isRunning = false

  sent(event: ClientEvent): void {
    if (event.type === 'response.create') this.wanted += 1
    this.fresh +=
      event.type === 'input_audio_buffer.append'
        ? Math.ceil(event.bytes / APPENDED_BYTES_PER_TOKEN)
        : promptBound({ promptBytes: event.bytes - event.media.bytes, media: event.media }, undefined)
  }

  received(event: ServerEvent): void {
    switch (event.kind) {
      case 'begun':
        this.isRunning = true
        return
      case 'part':
        this.isRunning = true
        this.audioBytes += event.audioBytes
        this.textBytes += event.textBytes
        return
      case 'session':
        this.bytesPerToken = event.bytesPerToken
        return
      case 'error':
        this.wanted = Math.max(0, this.wanted - 1)
        return
      default:
        return
    }
  }

  /** A response has ended, and used so much where that is known. */
  ended(counts: TokenCounts | undefined): void {
    this.wanted = Math.max(0, this.wanted - 1)
    this.isRunning = false
    this.audioBytes = 0
    this.textBytes = 0
    if (counts === undefined) return
    this.conversation = promptTokens(counts) + outputCounted(counts)
    this.fresh = 0
  }

  /**
   * The most that the responses to come can use: one that the provider begins unasked, or all that were asked for. `ahead` times
   * what the client has sent since the last one is counted, so that not every frame needs more.
   */
  bound({ context = Infinity, maxOutput = RESPONSE_TOKENS }: Quote, ahead = 1): UsageBound {
    const responses = Math.max(1, this.wanted)
    const input = Math.min(this.conversation + Math.max(START_TOKENS, this.fresh * ahead), context)
    return { counts: plainCounts(input * responses, Math.min(maxOutput, RESPONSE_TOKENS) * responses), open: true }
  }

  /** The running response as far as it came: what was read, and what was made of it. */
  estimate(): TokenCounts {
    const audio = Math.ceil(this.audioBytes / this.bytesPerToken)
    const counts = plainCounts(this.conversation + this.fresh, Math.ceil(this.textBytes / TEXT_BYTES_PER_TOKEN))
    return audio === 0 ? counts : { ...counts, units: { audio_output: audio } }
  }

  /** A response was asked for, or has begun. */
  get isAwaited(): boolean {
    return this.wanted > 0 || this.isRunning
  }

  /** Something of a response was made. */
  get hasParts(): boolean {
    return this.audioBytes + this.textBytes > 0
  }
}
