import { converseUpstreamCodec } from '@sluice/dialects/bedrock-converse/codec'
import type { UpstreamCodec } from '@sluice/dialects/canon/codec'
import type { ChatDialect } from '@sluice/dialects/canon/parts'

/** How each dialect is spoken to providers, as far as it is. */
const CODECS: Readonly<Partial<Record<ChatDialect, UpstreamCodec>>> = {
  'bedrock-converse': converseUpstreamCodec,
}

export function codecOf(dialect: ChatDialect): UpstreamCodec | undefined {
  return CODECS[dialect]
}
