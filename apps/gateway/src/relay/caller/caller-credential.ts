import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { vendorOfKey } from '@sluice/providers/kinds/vendor-hosts'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'

/**
 * A caller's own key of a provider. Whatever is made of this for a log, a trace or a message shows its fingerprint: the key itself is
 * private, and the only one to ask for it is the route that sends it.
 */
export class CallerCredential {
  readonly fingerprint: string
  readonly #key: string

  constructor(key: string) {
    this.#key = key
    this.fingerprint = keyFingerprint(key, (text) => hash('sha256', text))
  }

  reveal(): string {
    return this.#key
  }
}

/** One that came with the request. */
export class SentCredential extends CallerCredential {
  /** Name of the header that it came in, as clients write it. */
  readonly header: CredentialHeader
  /** Whose key it is, as far as its first characters say. */
  readonly vendor: string | undefined

  constructor(header: CredentialHeader, key: string) {
    super(key)
    this.header = header
    this.vendor = vendorOfKey(key)?.name
  }
}

/** One that its user has stored here. */
export class StoredCredential extends CallerCredential {
  readonly vendor: string
  /** Whether the platform's channels may serve what it could not. */
  readonly fallsBack: boolean

  constructor(key: string, { vendor, fallsBack }: Pick<StoredCredential, 'vendor' | 'fallsBack'>) {
    super(key)
    this.vendor = vendor
    this.fallsBack = fallsBack
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
