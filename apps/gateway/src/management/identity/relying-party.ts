import { isIP } from 'node:net'

/** For whom passkeys are made (WebAuthn: relying party). */
export interface RelyingParty {
  /** The name in the address bar, without port. */
  readonly id: string
  /** The pages that may use them: scheme, name and port. */
  readonly origin: string
}

/**
 * From the setting ServerAddress, never from what a request says about itself. Undefined where browsers offer no passkeys: an
 * address without a name, or without https, except on this machine.
 */
export function relyingPartyOf(serverAddress: string): RelyingParty | undefined {
  if (!URL.canParse(serverAddress)) return undefined
  const { protocol, hostname, origin } = new URL(serverAddress)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  return protocol === 'https:' || hostname === 'localhost' ? { id: hostname, origin } : undefined
}
