export type SettingGroup =
  | 'quota'
  | 'groups'
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
  /** Settings without a group, such as those of a newer gateway. */
  | 'other'

export type SettingUnit = 'quota' | 'tokens' | 'percent' | 'seconds' | 'minutes' | 'hours'

interface Common {
  /** The option's key at the gateway; also the anchor of its row. */
  readonly key: string
  readonly group: SettingGroup
  /** Saving asks first and states the consequence: always, or only when the switch is turned this way. */
  readonly asks?: 'always' | 'on' | 'off'
  /** Shown only if the gateway lists it, because other gateways do not have it. */
  readonly whereListed?: true
}
interface FlagSetting extends Common {
  readonly kind: 'flag'
  readonly initial: 'true' | 'false'
  /** Settings that the gateway requires before it turns this on. */
  readonly needs?: readonly string[]
}
/**
 * `page`: many lines, with a preview. `list`: comma-separated names. `ratios`: a JSON map from group to ratio. `groups`: a JSON map
 * from group to all its settings, edited as rows. `json`: another JSON object.
 */
type TextKind = 'text' | 'page' | 'address' | 'list' | 'ratios' | 'groups' | 'json'
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
/** Never shown: the field is blank, and an entry replaces the stored value. */
interface SecretSetting extends Common {
  readonly kind: 'secret'
}
/** Reported by the gateway, read-only. `time` is in unix seconds, 0 for never. */
interface ShownSetting extends Common {
  readonly kind: 'shown'
  readonly initial: string
  readonly as: 'text' | 'time'
}

/** The texts under its key describe it. `initial` is the gateway's default, shown while the gateway lists no value. */
export type Setting =
  | FlagSetting
  | { [Kind in TextKind]: TextSetting<Kind> }[TextKind]
  | NumberSetting
  | ChoiceSetting
  | SecretSetting
  | ShownSetting
export type SettingOf<Kind extends Setting['kind']> = Extract<Setting, { readonly kind: Kind }>
