import type { InferInput } from 'valibot'
import type { Token, tokenCreate } from '../token.ts'

/** A setting in records, with the value of a token whose owner sets nothing. */
interface Kind<Value> {
  readonly plain: Value
}

const text: Kind<string> = { plain: '' }
const optionalText: Kind<string | null> = { plain: null }
/** Stored as 0 or 1. */
const flag: Kind<boolean> = { plain: false }
const count: Kind<number> = { plain: 0 }
/** Unix seconds; -1 for never. */
const expiry: Kind<number> = { plain: -1 }
const mq: Kind<bigint> = { plain: 0n }

interface TokenField extends Kind<string | number | bigint | boolean | null> {
  readonly property?: string
  readonly column?: string
  /** True if `apps/gateway/src/management/tokens/tokens.ts` computes the stored value instead of copying the body's. */
  readonly decided?: true
}

/** An owner's settings for a token, besides quota and budgets; in both bodies and replies. */
type TokenName = Exclude<keyof Token & keyof InferInput<typeof tokenCreate>, 'remain_quota' | 'group' | 'budgets'>

/**
 * How each of these settings is stored, in reply order; `token.ts` documents their meaning. All code that lists or copies the
 * settings loops over these entries (docs/how-to/add-a-token-field.md).
 */
const TOKEN_FIELDS = {
  name: text,
  expired_time: { ...expiry, property: 'expiredTime', decided: true },
  unlimited_quota: { ...flag, property: 'unlimited', column: 'unlimited' },
  /** Comma-separated names, as in the next two; null for none. */
  groups: { ...optionalText, decided: true },
  models: { ...optionalText, decided: true },
  subnet: { ...optionalText, decided: true },
  rpm: count,
  tpm: count,
  concurrency: count,
  session_quota: { ...mq, property: 'sessionQuota', decided: true },
  repeat_rpm: { ...count, property: 'repeatRpm' },
  quiet_hours: { ...optionalText, property: 'quietHours', decided: true },
} as const satisfies Readonly<Record<TokenName, TokenField>>

type Fields = typeof TOKEN_FIELDS
type Property<Name extends TokenName> = Fields[Name] extends { readonly property: infer Other extends string }
  ? Other
  : Name
type Column<Name extends TokenName> = Fields[Name] extends { readonly column: infer Other extends string }
  ? Other
  : Name
type Stored<Value> = Value extends boolean ? number : Value

export type TokenSettings = { readonly [Name in TokenName as Property<Name>]: Fields[Name]['plain'] }
export type TokenColumns = { [Name in TokenName as Column<Name>]: Stored<Fields[Name]['plain']> }
/** The columns by their names in records, as `SELECTED_SETTINGS` reads them. */
export type SelectedSettings = { readonly [Name in TokenName as Property<Name>]: Stored<Fields[Name]['plain']> }
type CopiedSettings = {
  readonly [
    Name in TokenName as Fields[Name] extends { readonly decided: true } ? never : Property<Name>
  ]: Fields[Name]['plain']
}

const TOKEN_SETTINGS = Object.entries<TokenField>(TOKEN_FIELDS).map(([name, field]) => ({
  ...field,
  name: name as TokenName,
  property: (field.property ?? name) as keyof TokenSettings,
  column: (field.column ?? name) as keyof TokenColumns,
}))

export const PLAIN_TOKEN = Object.fromEntries(
  TOKEN_SETTINGS.map(({ property, plain }) => [property, plain]),
) as TokenSettings

export const SETTING_COLUMNS: readonly (keyof TokenColumns)[] = TOKEN_SETTINGS.map(({ column }) => column)

/** Select list that returns the columns of `token` by their names in records. */
export const SELECTED_SETTINGS = TOKEN_SETTINGS.map(
  ({ column, property }) => `token.${column} as ${property}`,
) as readonly { [Name in TokenName]: `token.${Column<Name>} as ${Property<Name>}` }[TokenName][]

export function settingsOfRow(row: SelectedSettings): TokenSettings {
  const entries = TOKEN_SETTINGS.map(({ property, plain }) => [
    property,
    typeof plain === 'boolean' ? row[property] !== 0 : row[property],
  ])
  return Object.fromEntries(entries) as TokenSettings
}

export function columnsOfSettings(settings: TokenSettings): TokenColumns {
  const entries = TOKEN_SETTINGS.map(({ column, property, plain }) => [
    column,
    typeof plain === 'boolean' ? Number(settings[property]) : settings[property],
  ])
  return Object.fromEntries(entries) as TokenColumns
}

/** Stored values for a body; settings that it omits stay unchanged. */
export function copiedSettings(
  body: { readonly [Name in TokenName]?: unknown },
  before: TokenSettings,
): CopiedSettings {
  const copied = TOKEN_SETTINGS.filter(({ decided }) => decided === undefined)
  return Object.fromEntries(
    copied.map(({ name, property }) => [property, body[name] ?? before[property]]),
  ) as CopiedSettings
}

export function namedForReply(settings: TokenSettings) {
  return Object.fromEntries(TOKEN_SETTINGS.map(({ name, property }) => [name, settings[property]])) as {
    readonly [Name in TokenName]: Fields[Name]['plain']
  }
}
