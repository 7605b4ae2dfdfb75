import { openSseRelay, type SseRelay, type SseRelayEnd, type SseRelayState } from '../framing/sse-relay.ts'
import type { TokenCounts } from '../token-counts.ts'
import { ChatSniffer } from './chat-sniffer.ts'
import type { UpstreamError } from './errors.ts'

/** An OpenAI chat stream on its way from upstream to client. */
export interface ChatStream extends SseRelay {
  /** The last usage seen. */
  readonly usage: TokenCounts | undefined
  /** Set when `state` is `failed`: the upstream's error event. */
  readonly error: UpstreamError | undefined
  /** A finish reason was seen: end of input without `[DONE]` is a proper end. */
  readonly finished: boolean
}

/**
 * Opens the relay of one stream. Without `usageAsked` the usage-only chunk (`choices: []` with a usage) is removed;
 * a usage inside a chunk with choices is left alone.
 */
export function openChatStream(options: { readonly usageAsked: boolean }): ChatStream {
  return new SniffedStream(new ChatSniffer(options.usageAsked))
}

class SniffedStream implements ChatStream {
  private readonly sniffer: ChatSniffer
  private readonly relay: SseRelay

  constructor(sniffer: ChatSniffer) {
    this.sniffer = sniffer
    this.relay = openSseRelay(sniffer)
  }

  get state(): SseRelayState {
    return this.relay.state
  }
  get terminal(): Uint8Array {
    return this.relay.terminal
  }
  get usage(): TokenCounts | undefined {
    return this.sniffer.usage
  }
  get error(): UpstreamError | undefined {
    return this.sniffer.error
  }
  get finished(): boolean {
    return this.sniffer.finished
  }
  push(chunk: Uint8Array): readonly Uint8Array[] {
    return this.relay.push(chunk)
  }
  end(): SseRelayEnd {
    return this.relay.end()
  }
}
