import type { StoredOptions } from '../calls.ts'
import { type Card, CARDS } from './cards.ts'
import type { Setting } from './setting.ts'
import { isKnownSetting, SETTINGS } from './settings.ts'

export interface PlacedCard extends Card {
  readonly settings: readonly Setting[]
}

/** Every card with its settings: those of the table, and any others that the gateway lists under Other Settings. */
export function placedCards(values: StoredOptions['values']): readonly PlacedCard[] {
  const unknown = Object.keys(values).filter((key) => !isKnownSetting(key))
  const known = SETTINGS.filter(({ key, whereListed }) => whereListed !== true || values[key] !== undefined)
  const all = [...known, ...unknown.map(unknownSetting)]
  return CARDS.map((card) => ({
    ...card,
    settings: card.groups.flatMap((group) => all.filter((setting) => setting.group === group)),
  }))
}

/** The kind of an unknown setting of a newer gateway, guessed from its name: names ending in Enabled are switches. */
function unknownSetting(key: string): Setting {
  return key.endsWith('Enabled')
    ? { key, group: 'other', kind: 'flag', initial: 'false' }
    : { key, group: 'other', kind: 'text', initial: '' }
}

/** The value in force: the one that the gateway lists, otherwise the default; a secret's is never known. */
export function valueOf(setting: Setting, values: StoredOptions['values']): string {
  if (setting.kind === 'secret') return ''
  return values[setting.key] ?? setting.initial
}

/** Keys of the settings that must be set before the gateway accepts turning a switch on. */
export function missingNeeds(setting: Setting, { values, secretsSet }: StoredOptions): readonly string[] {
  if (setting.kind !== 'flag') return []
  return (setting.needs ?? []).filter((key) => (values[key] ?? '') === '' && !secretsSet.includes(key))
}
