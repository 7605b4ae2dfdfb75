import { hash } from 'node:crypto'
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
