import type { StoredOptions } from '../calls.ts'
import type { Setting, SettingGroup } from './setting.ts'
import { isKnownSetting, SETTINGS } from './settings.ts'

export type OptionsTabId = 'operation' | 'system' | 'other'

export type CardId =
  | 'quotaSettings'
  | 'generalSettings'
  | 'channelSettings'
  | 'logManagement'
  | 'authentication'
  | 'oauth'
  | 'security'
  | 'email'
  | 'notifications'
  | 'otherSettings'
  | 'branding'
  | 'contentManagement'
  | 'updates'

interface Card {
  readonly id: CardId
  readonly tab: OptionsTabId
  readonly groups: readonly SettingGroup[]
}

/** In the order of the specification. */
export const CARDS: readonly Card[] = [
  { id: 'quotaSettings', tab: 'operation', groups: ['quota', 'groups', 'charging', 'limits'] },
  { id: 'generalSettings', tab: 'operation', groups: ['links', 'display'] },
  { id: 'channelSettings', tab: 'operation', groups: ['channels'] },
  { id: 'logManagement', tab: 'operation', groups: ['logging'] },
  { id: 'authentication', tab: 'system', groups: ['authentication'] },
  { id: 'oauth', tab: 'system', groups: ['github', 'oidc', 'lark', 'wechat'] },
  { id: 'security', tab: 'system', groups: ['security'] },
  { id: 'email', tab: 'system', groups: ['email'] },
  { id: 'notifications', tab: 'system', groups: ['notifications'] },
  { id: 'otherSettings', tab: 'system', groups: ['other'] },
  { id: 'branding', tab: 'other', groups: ['branding'] },
  { id: 'contentManagement', tab: 'other', groups: ['content'] },
  { id: 'updates', tab: 'other', groups: [] },
]

export interface PlacedCard extends Card {
  readonly settings: readonly Setting[]
}

/** The settings of the table; others that the gateway lists are under Other Settings. */
export function placedCards(values: StoredOptions['values']): readonly PlacedCard[] {
  const unknown = Object.keys(values).filter((key) => !isKnownSetting(key))
  const known = SETTINGS.filter(({ key, whereListed }) => whereListed !== true || values[key] !== undefined)
  const all = [...known, ...unknown.map(unknownSetting)]
  return CARDS.map((card) => ({
    ...card,
    settings: card.groups.flatMap((group) => all.filter((setting) => setting.group === group)),
  }))
}

/** Guesses the kind of a newer gateway's setting from its name: names ending in Enabled are switches. */
function unknownSetting(key: string): Setting {
  return key.endsWith('Enabled')
    ? { key, group: 'other', kind: 'flag', initial: 'false' }
    : { key, group: 'other', kind: 'text', initial: '' }
}

/** The value that the gateway lists, otherwise the default; a secret's value is never known. */
export function valueOf(setting: Setting, values: StoredOptions['values']): string {
  if (setting.kind === 'secret') return ''
  return values[setting.key] ?? setting.initial
}

export function missingNeeds(setting: Setting, { values, secretsSet }: StoredOptions): readonly string[] {
  if (setting.kind !== 'flag') return []
  return (setting.needs ?? []).filter((key) => (values[key] ?? '') === '' && !secretsSet.includes(key))
}
