import type { SettingGroup } from './setting.ts'

/** The tabs of the settings for administrators. */
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

/** A card of a tab: settings that belong together, and the actions that concern them. */
export interface Card {
  readonly id: CardId
  readonly tab: OptionsTabId
  /** With more than one, each has a heading of its own. */
  readonly groups: readonly SettingGroup[]
}

/** The cards of the specification, in their order. */
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
