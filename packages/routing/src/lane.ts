/** One path to a provider: a channel, one of its keys, and a model under the provider's name. */
export interface Lane {
  readonly channel: number
  /** Fingerprint of the key: another key is another lane, so it starts with a clean record. */
  readonly key: string
  readonly model: string
}
