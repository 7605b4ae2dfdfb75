/** What a card shows together under one heading. */
export type SettingGroup =
  | 'quota'
  | 'charging'
  | 'limits'
  | 'links'
  | 'display'
  | 'channels'
  | 'logging'
  | 'authentication'
  | 'github'
  | 'oidc'
  | 'lark'
  | 'wechat'
  | 'security'
  | 'email'
  | 'notifications'
  | 'branding'
  | 'content'
  /** Takes what belongs to no group, such as settings that a newer gateway has. */
  | 'other'

/** What a number counts, for the remark behind its field. */
export type SettingUnit = 'quota' | 'tokens' | 'percent' | 'seconds' | 'minutes' | 'hours'

interface Common {
  /** The option's key at the gateway; also the anchor of its row. */
  readonly key: string
  readonly group: SettingGroup
  /** Saving asks first and tells the consequence: always, or when a switch goes this way. */
  readonly asks?: 'always' | 'on' | 'off'
}
interface FlagSetting extends Common {
  readonly kind: 'flag'
  readonly initial: 'true' | 'false'
  /** Settings without which the gateway does not switch this on. */
  readonly needs?: readonly string[]
}
/** `page`: a text of many lines, with a preview. `list`: names separated by commas. `ratios`: a JSON map of group to ratio. `json`: another
 * JSON object. */
type TextKind = 'text' | 'page' | 'address' | 'list' | 'ratios' | 'json'
interface TextSetting<Kind extends TextKind> extends Common {
  readonly kind: Kind
  readonly initial: string
  readonly required?: true
}
interface NumberSetting extends Common {
  readonly kind: 'integer' | 'decimal'
  readonly initial: string
  readonly min: number
  readonly max: number
  readonly unit?: SettingUnit
}
interface ChoiceSetting extends Common {
  readonly kind: 'choice'
  readonly initial: string
  readonly values: readonly string[]
}
/** Never shown: its field is blank, and what is entered takes the place of what is stored. */
interface SecretSetting extends Common {
  readonly kind: 'secret'
}
/** Told by the gateway, set by nobody. `time` is in unix seconds, 0 for never. */
interface ShownSetting extends Common {
  readonly kind: 'shown'
  readonly initial: string
  readonly as: 'text' | 'time'
}

/**
 * One setting as data. Its name, what it does and what follows from changing it are in the texts under its key. `initial` is
 * the gateway's default, shown while the gateway names no value.
 */
export type Setting =
  | FlagSetting
  | { [Kind in TextKind]: TextSetting<Kind> }[TextKind]
  | NumberSetting
  | ChoiceSetting
  | SecretSetting
  | ShownSetting
export type SettingOf<Kind extends Setting['kind']> = Extract<Setting, { readonly kind: Kind }>
