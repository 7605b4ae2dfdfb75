import type { ChannelKind } from './kinds.ts'

/** Where one call goes, in the form undici's dispatcher wants it. */
export interface UpstreamAddress {
  /** `https://host:port` */
  readonly origin: string
  /** Path and query. */
  readonly path: string
}

/**
 * Joins a channel's base URL (empty: the kind's default) and a client path such as `/v1/chat/completions`.
 * Pure: keep the answer with the channel.
 */
export declare function upstreamAddress(kind: ChannelKind, baseUrl: string, clientPath: string): UpstreamAddress | { readonly problem: string }
