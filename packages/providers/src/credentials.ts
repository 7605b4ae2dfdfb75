import type { ChannelKind } from './kinds.ts'

/** Headers that carry the channel's key, names in lower case. `problem` never contains the key. */
export declare function credentialHeaders(
  kind: ChannelKind,
  key: string,
): { readonly headers: Readonly<Record<string, string>> } | { readonly problem: string }
