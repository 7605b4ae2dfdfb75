import type { Purpose, Vault } from '@sluice/store/vault'

/** Opens stored secrets, and counts those that no present master key opens. */
export interface StoredSecrets {
  /** Empty where nothing is stored, and for what cannot be opened. */
  readonly open: (purpose: Purpose, sealed: string | null) => string
  /** How many could not be opened. */
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
