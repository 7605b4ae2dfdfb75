import type { ClientEvent } from '@sluice/dialects/openai-realtime/client-event'
import type { ServerEvent } from '@sluice/dialects/openai-realtime/server-event'
import type { TokenCounts } from '@sluice/dialects/token-counts'
import { outputCounted } from '@sluice/dialects/token-counts'
import { promptTokens } from '@sluice/providers/prices/chargeable'
import type { Quote } from '@sluice/providers/prices/quote'
import { promptBound } from '../calls/call-bounds.ts'
import { plainCounts, type UsageBound } from '../calls/parsed-call.ts'

/** The hold for the user's part of the next response: two minutes of audio, as in the family. */
const START_TOKENS = 1_200
/** OpenAI's own limit on a response. */
const RESPONSE_TOKENS = 4_096
/** Base64 of the densest format, 8,000 bytes a second, at ten tokens a second; others have fewer tokens. */
const APPENDED_BYTES_PER_TOKEN = 1_000
/** Denser than any provider's text. */
const TEXT_BYTES_PER_TOKEN = 3
const PCM_BYTES_PER_TOKEN = 2_400
/** Responses that are tracked separately; no provider runs that many at once. */
const MAX_RUNNING = 100

interface Parts {
  /** Audio tokens, by the format in use when the audio arrived. */
  audioTokens: number
  textBytes: number
}

/**
 * Estimates from the bytes that pass how large the next response of a session can be, and how much of the running ones has been
 * generated, until the provider reports. Every response reads the whole conversation again.
 */
export class SessionSize {
  #wanted = 0
  #begun = 0
  #conversation = 0
  #fresh = 0
  /** The output of each running response, by id; parts without a response are under ''. */
  readonly #running = new Map<string, Parts>()
  #bytesPerToken = PCM_BYTES_PER_TOKEN

  sent(event: ClientEvent): void {
    if (event.type === 'response.create') this.#wanted += 1
    this.#fresh +=
      event.type === 'input_audio_buffer.append'
        ? Math.ceil(event.bytes / APPENDED_BYTES_PER_TOKEN)
        : promptBound({ promptBytes: event.bytes - event.media.bytes, media: event.media }, undefined)
  }

  received(event: ServerEvent): void {
    switch (event.kind) {
      case 'begun':
        this.#begin()
        this.#partsOf(event.response)
        return
      case 'part': {
        if (!this.isRunning) this.#begin()
        const parts = this.#partsOf(event.response)
        parts.audioTokens += event.audioBytes / this.#bytesPerToken
        parts.textBytes += event.textBytes
        return
      }
      case 'session':
        this.#bytesPerToken = event.bytesPerToken
        return
      case 'error':
        if (event.isResponse) this.#wanted = Math.max(0, this.#wanted - 1)
        return
      default:
        return
    }
  }

  /** A response has ended, with its usage if known. Others may continue. */
  ended(response: string, counts: TokenCounts | undefined): void {
    if (this.#begun > 0) this.#begun -= 1
    else this.#wanted = Math.max(0, this.#wanted - 1)
    if (response === '') this.#running.clear()
    for (const id of [response, '']) this.#running.delete(id)
    if (counts === undefined) return
    this.#conversation = promptTokens(counts) + outputCounted(counts)
    this.#fresh = 0
  }

  /**
   * The maximum usage of upcoming responses: either one that the provider starts on its own, or all requested ones. What the client
   * has sent since the last one counts `ahead` times, so that not every frame needs a larger hold.
   */
  bound({ context = Infinity, maxOutput = RESPONSE_TOKENS }: Quote, ahead = 1): UsageBound {
    const responses = Math.max(1, this.#wanted + this.#begun)
    const input = Math.min(this.#conversation + Math.max(START_TOKENS, this.#fresh * ahead), context)
    return { counts: plainCounts(input * responses, Math.min(maxOutput, RESPONSE_TOKENS) * responses), open: true }
  }

  /** Input and output so far of all running responses, or of one of them. */
  estimate(response?: string): TokenCounts {
    const { audioTokens, textBytes } = this.#made(response)
    const audio = Math.ceil(audioTokens)
    const counts = plainCounts(this.#conversation + this.#fresh, Math.ceil(textBytes / TEXT_BYTES_PER_TOKEN))
    return audio === 0 ? counts : { ...counts, units: { audio_output: audio } }
  }

  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /** Ids of running responses; '' for parts without one. */
  get runningIds(): readonly string[] {
    return [...this.#running.keys()]
  }

  /** A response was requested, or has begun. */
  get isAwaited(): boolean {
    return this.#wanted > 0 || this.isRunning
  }

  hasParts(response?: string): boolean {
    const { audioTokens, textBytes } = this.#made(response)
    return audioTokens + textBytes > 0
  }

  /** Parts without a response count for any response. */
  #made(response: string | undefined): Parts {
    const made = { audioTokens: 0, textBytes: 0 }
    for (const [id, { audioTokens, textBytes }] of this.#running) {
      if (response !== undefined && response !== '' && id !== '' && id !== response) continue
      made.audioTokens += audioTokens
      made.textBytes += textBytes
    }
    return made
  }

  #partsOf(response: string): Parts {
    const id = this.#running.has(response) || this.#running.size < MAX_RUNNING ? response : ''
    const known = this.#running.get(id)
    if (known !== undefined) return known
    const parts = { audioTokens: 0, textBytes: 0 }
    this.#running.set(id, parts)
    return parts
  }

  #begin(): void {
    this.#begun += 1
    this.#wanted = Math.max(0, this.#wanted - 1)
  }
}
