import type { UpstreamCodec } from '@sluice/dialects/canon/codec'
import type { ChatDialect } from '@sluice/dialects/canon/parts'

/** How each dialect is spoken to providers, as far as it is. */
const CODECS: Readonly<Partial<Record<ChatDialect, UpstreamCodec>>> = {}

export function codecOf(dialect: ChatDialect): UpstreamCodec | undefined {
  return CODECS[dialect]
}
