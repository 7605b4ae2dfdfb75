import { hash } from 'node:crypto'
import { vendorOfKey } from '@sluice/providers/kinds/vendor-hosts'
import { keyFingerprint } from '@sluice/routing/key-fingerprint'

/** A caller's own provider key. Logs, traces and messages show its fingerprint; only the route that sends the key reads it. */
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

export class SentCredential extends CallerCredential {
  /** Name of its header, as clients write it. */
  readonly header: CredentialHeader
  /** The key's vendor, if its first characters show it. */
  readonly vendor: string | undefined

  constructor(header: CredentialHeader, key: string) {
    super(key)
    this.header = header
    this.vendor = vendorOfKey(key)?.name
  }
}

export class StoredCredential extends CallerCredential {
  readonly vendor: string
  /** Whether the platform's channels may serve calls that it could not. */
  readonly fallsBack: boolean

  constructor(key: string, { vendor, fallsBack }: Pick<StoredCredential, 'vendor' | 'fallsBack'>) {
    super(key)
    this.vendor = vendor
    this.fallsBack = fallsBack
  }
}

export type CredentialHeader = 'Authorization' | 'X-Api-Key' | 'X-Goog-Api-Key'
