import type { ChannelKind } from './kinds.ts'

/**
 * Headers that carry the channel's key, names in lower case. A key with white space or control characters inside is a
 * problem, since it could add headers of its own. `problem` never contains the key.
 */
export function credentialHeaders(
  kind: ChannelKind,
  key: string,
): { readonly headers: Readonly<Record<string, string>> } | { readonly problem: string } {
  const trimmed = key.trim()
  switch (kind.credentials) {
    case 'bearer-optional':
      if (trimmed === '') return { headers: {} }
      return bearer(trimmed)
    case 'bearer':
      if (trimmed === '') return { problem: 'API key is required' }
      return bearer(trimmed)
    default:
      return { problem: `Channels of type ${kind.name} cannot be called yet` }
  }
}

function bearer(key: string): { readonly headers: Readonly<Record<string, string>> } | { readonly problem: string } {
  if (!/^[\u0021-\u007e]+$/.test(key)) return { problem: 'API key may hold printable ASCII characters only' }
  return { headers: { authorization: `Bearer ${key}` } }
}
