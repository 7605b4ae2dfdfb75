import type { Vault } from './vault.ts'

export interface OwnKeyPlace {
  readonly userId: number
  readonly vendor: string
}

/** Seals a user's own key together with its place, so that a text moved to the row of another user or vendor cannot be opened. */
export function sealOwnKey(vault: Pick<Vault, 'seal'>, place: OwnKeyPlace, key: string): string {
  return vault.seal('own_key', startOf(place) + key)
}

/** Undefined when it cannot be opened, or was sealed for another place. */
export function openOwnKey(vault: Pick<Vault, 'open'>, place: OwnKeyPlace, sealed: string): string | undefined {
  const opened = vault.open('own_key', sealed)
  const start = startOf(place)
  return opened.ok && opened.text.startsWith(start) ? opened.text.slice(start.length) : undefined
}

/** Neither an id nor the name of a vendor contains a line break. */
const startOf = ({ userId, vendor }: OwnKeyPlace) => `${userId}\n${vendor}\n`
