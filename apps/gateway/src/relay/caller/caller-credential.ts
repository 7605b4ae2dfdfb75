import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { vendorOfKey } from '@sluice/providers/kinds/vendor-hosts'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'

/**
 * A caller's own key of a provider. Whatever is made of this for a log, a trace or a message shows its fingerprint: the key itself is
 * private, and the only one to ask for it is the route that sends it.
 */
export class CallerCredential {
  /** Name of the header that it came in, as clients write it. */
  readonly header: CredentialHeader
  readonly fingerprint: string
  /** Whose key it is, as far as its first characters say. */
  readonly vendor: string | undefined
  readonly #key: string

  constructor(header: CredentialHeader, key: string) {
    this.header = header
    this.#key = key
    this.fingerprint = keyFingerprint(key, (text) => hash('sha256', text))
    this.vendor = vendorOfKey(key)?.name
  }

  reveal(): string {
    return this.#key
  }
}

export type CredentialHeader = 'Authorization' | 'X-Api-Key' | 'X-Goog-Api-Key'

/** Tokens of sign-ins are longer than keys; headers as a whole are bounded by the edge. */
const CREDENTIAL_MAX = 8_192
const PRINTABLE = /^[!-~]+$/

/** The key as it was sent; undefined when there is none. Empty text where it cannot be one. */
export function readCredential(headers: IncomingHttpHeaders): { header: CredentialHeader; key: string } | undefined {
  const bearer = headers.authorization?.replace(/^bearer(?:\s+|$)/i, '')
  const found = named('Authorization', bearer) ?? named('X-Api-Key', headers['x-api-key'])
  return found ?? named('X-Goog-Api-Key', headers['x-goog-api-key'])
}

function named(header: CredentialHeader, value: string | string[] | undefined) {
  const key = (Array.isArray(value) ? value[0] : value)?.trim() ?? ''
  if (key === '') return undefined
  return { header, key: key.length <= CREDENTIAL_MAX && PRINTABLE.test(key) ? key : '' }
}
