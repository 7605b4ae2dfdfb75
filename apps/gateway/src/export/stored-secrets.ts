import type { Purpose, Vault } from '@sluice/store/vault'

export interface StoredSecrets {
  /** Empty where nothing is stored, and for secrets that cannot be decrypted. */
  readonly open: (purpose: Purpose, sealed: string | null) => string
  /** Number of secrets that could not be decrypted. */
  readonly unopened: ReadonlyMap<Purpose, number>
}

export function createStoredSecrets(vault: Pick<Vault, 'open'>): StoredSecrets {
  const unopened = new Map<Purpose, number>()
  return {
    unopened,
    open: (purpose, sealed) => {
      if (sealed === null || sealed === '') return ''
      const opened = vault.open(purpose, sealed)
      if (opened.ok) return opened.text
      unopened.set(purpose, (unopened.get(purpose) ?? 0) + 1)
      return ''
    },
  }
}
