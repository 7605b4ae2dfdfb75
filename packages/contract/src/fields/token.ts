import type { InferInput } from 'valibot'
import type { Token, tokenCreate } from '../token.ts'

/** What a setting is in records: the value of a token for which its owner sets nothing. */
interface Kind<Value> {
  readonly plain: Value
}

const text: Kind<string> = { plain: '' }
const optionalText: Kind<string | null> = { plain: null }
/** Stored as 0 or 1. */
const flag: Kind<boolean> = { plain: false }
const count: Kind<number> = { plain: 0 }
/** Unix seconds; -1 never. */
const expiry: Kind<number> = { plain: -1 }
const mq: Kind<bigint> = { plain: 0n }

interface TokenField extends Kind<string | number | bigint | boolean | null> {
  /** Name in records of the store, where that is another one. */
  readonly property?: string
  /** Name in the table, where that is another one. */
  readonly column?: string
  /** What is stored of a body is not what it holds: `apps/gateway/src/management/tokens/tokens.ts` decides it. */
  readonly decided?: true
}

/** What an owner sets of a token besides its quota and its budgets: bodies and replies both have it. */
type TokenName = Exclude<keyof Token & keyof InferInput<typeof tokenCreate>, 'remain_quota' | 'group' | 'budgets'>

/**
 * How each of these settings is kept; `token.ts` has what they mean, and what bodies and replies hold. In the order of replies.
 * Everything that lists or copies the settings is a loop over these entries (docs/how-to/add-a-token-field.md).
 */
const TOKEN_FIELDS = {
  name: text,
  expired_time: { ...expiry, property: 'expiredTime', decided: true },
  unlimited_quota: { ...flag, property: 'unlimited', column: 'unlimited' },
  /** Names, joined by commas, as the next two; null: none are set. */
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

/** The settings of a token as records of the store have them. */
export type TokenSettings = { readonly [Name in TokenName as Property<Name>]: Fields[Name]['plain'] }
/** The same as columns of the table `token`. */
export type TokenColumns = { [Name in TokenName as Column<Name>]: Stored<Fields[Name]['plain']> }
/** The columns under their names in records, as `SELECTED_SETTINGS` reads them. */
export type SelectedSettings = { readonly [Name in TokenName as Property<Name>]: Stored<Fields[Name]['plain']> }
/** What is stored as a body has it. */
type CopiedSettings = {
  readonly [
    Name in TokenName as Fields[Name] extends { readonly decided: true } ? never : Property<Name>
  ]: Fields[Name]['plain']
}

/** Every setting with all of its names: in replies and bodies, in records and in the table. */
const TOKEN_SETTINGS = Object.entries<TokenField>(TOKEN_FIELDS).map(([name, field]) => ({
  ...field,
  name: name as TokenName,
  property: (field.property ?? name) as keyof TokenSettings,
  column: (field.column ?? name) as keyof TokenColumns,
}))

/** A token for which its owner sets nothing. */
export const PLAIN_TOKEN = Object.fromEntries(
  TOKEN_SETTINGS.map(({ property, plain }) => [property, plain]),
) as TokenSettings

/** What a query selects of the table `token` to get its settings under their names in records. */
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

/** What is stored of a body; what it leaves out stays as it was. */
export function copiedSettings(
  body: { readonly [Name in TokenName]?: unknown },
  before: TokenSettings,
): CopiedSettings {
  const copied = TOKEN_SETTINGS.filter(({ decided }) => decided === undefined)
  return Object.fromEntries(
    copied.map(({ name, property }) => [property, body[name] ?? before[property]]),
  ) as CopiedSettings
}

/** The values of records under their names in replies. */
export function namedForReply(settings: TokenSettings) {
  return Object.fromEntries(TOKEN_SETTINGS.map(({ name, property }) => [name, settings[property]])) as {
    readonly [Name in TokenName]: Fields[Name]['plain']
  }
}
