interface Kind<Name extends string, Value> {
  readonly kind: Name
  /** The database type, as named in the ledger's `written-table.ts`. */
  readonly type: 'text' | 'int' | 'safe' | 'int8'
  /** Value in rows without a charge, and in settlements recorded before the column existed. */
  readonly plain: Value
}

const text: Kind<'text', string> = { kind: 'text', type: 'text', plain: '' }
const optionalText: Kind<'optionalText', string | null> = { kind: 'optionalText', type: 'text', plain: null }
/** Stored as 0 or 1. */
const flag: Kind<'flag', boolean> = { kind: 'flag', type: 'int', plain: false }
const id: Kind<'number', number> = { kind: 'number', type: 'int', plain: 0 }
/** Up to 2^53 − 1. */
const count: Kind<'number', number> = { kind: 'number', type: 'safe', plain: 0 }
const unixSeconds: Kind<'seconds', number> = { kind: 'seconds', type: 'safe', plain: 0 }
const mq: Kind<'mq', bigint> = { kind: 'mq', type: 'int8', plain: 0n }

type LogValue = string | number | bigint | boolean | null

interface LogField extends Kind<string, LogValue> {
  readonly property: string
  /** True if a settlement states the value; otherwise the ledger knows it. */
  readonly settled?: true
  readonly corrected?: true
  /**
   * The part of a reply that shows the value unchanged; `metadata` only if it differs from `plain`. Everything else that replies
   * show of a row is written out in `packages/observe/src/log-record.ts`.
   */
  readonly part?: keyof LogParts
  readonly shownAs?: string
}

/**
 * The columns of the table `log` except its id; those of one part of a reply are in that part's order. All code that lists the
 * columns loops over these entries, so a new column takes an entry here, a migration, and its value where a request is charged
 * (docs/how-to/add-a-log-column.md).
 */
const LOG_FIELDS = {
  /** For a charge, also the time of the transfer; its UTC day selects the row of `usage_daily`. */
  created_at: { ...unixSeconds, property: 'createdAt', settled: true, part: 'request' },
  type: { ...id, property: 'type', part: 'request' },
  /** The row's owner, even after a name change. */
  user_id: { ...id, property: 'userId', part: 'request' },
  username: { ...text, property: 'username', settled: true, part: 'request' },
  token_id: { ...id, property: 'tokenId' },
  token_name: { ...text, property: 'tokenName', settled: true, part: 'request' },
  /** As priced, after mapping. */
  model_name: { ...text, property: 'model', part: 'request' },
  /** As the client requested it. */
  origin_model_name: { ...text, property: 'originModel', settled: true, part: 'request' },
  channel_id: { ...id, property: 'channelId' },
  channel_name: { ...text, property: 'channelName', settled: true },
  amount: { ...mq, property: 'amount', corrected: true },
  /** All input classes together. */
  prompt_tokens: { ...count, property: 'promptTokens', corrected: true, part: 'tokens' },
  /** All output classes together. */
  completion_tokens: { ...count, property: 'completionTokens', corrected: true, part: 'tokens' },
  cached_prompt_tokens: { ...count, property: 'cachedPromptTokens', corrected: true, part: 'tokens' },
  cache_write_5m_tokens: { ...count, property: 'cacheWrite5mTokens', corrected: true },
  cache_write_1h_tokens: { ...count, property: 'cacheWrite1hTokens', corrected: true },
  reasoning_tokens: { ...count, property: 'reasoningTokens', corrected: true, part: 'metadata' },
  /** Counts by class, as in `transfer`. */
  units: { ...optionalText, property: 'units', corrected: true },
  request_id: { ...optionalText, property: 'requestId' },
  /** Milliseconds from request start to settlement. */
  elapsed_ms: {
    ...count,
    property: 'elapsedMs',
    settled: true,
    corrected: true,
    part: 'answer',
    shownAs: 'elapsed_time',
  },
  is_stream: { ...flag, property: 'isStream', settled: true, part: 'answer' },
  /** True if tokens were counted here because the provider reported none. */
  estimated: {
    ...flag,
    property: 'estimated',
    settled: true,
    corrected: true,
    part: 'metadata',
    shownAs: 'usage_estimated',
  },
  /** Why the answer ended: `complete`, or the rule that charged a broken one (`client_gone`, `upstream_broken`, …). */
  ended: { ...text, property: 'ended', settled: true, corrected: true, part: 'metadata' },
  content: { ...text, property: 'content', settled: true, corrected: true, part: 'answer' },
  /** Digest of the session that the client named, unique to its token; empty for none. Its sums are updated with the row. */
  session: { ...text, property: 'session', settled: true, part: 'metadata' },
  /** Client family, from a short fixed list; empty when no client program made the request. */
  client: { ...text, property: 'client', settled: true, part: 'metadata' },
  /** What the cached tokens would have cost in addition at this charge's full price. */
  saved: { ...mq, property: 'saved', corrected: true },
} as const satisfies Readonly<Record<string, LogField>>

type Fields = typeof LOG_FIELDS

export type LogValues = {
  readonly [Name in keyof Fields as Fields[Name]['property']]: Fields[Name]['plain']
}
export type SettledLog = {
  readonly [
    Name in keyof Fields as Fields[Name] extends { readonly settled: true } ? Fields[Name]['property'] : never
  ]: Fields[Name]['plain']
}
export type CorrectedLog = {
  readonly [
    Name in keyof Fields as Fields[Name] extends { readonly corrected: true } ? Fields[Name]['property'] : never
  ]: Fields[Name]['plain']
}
export type LogColumns = {
  [Name in keyof Fields]: Fields[Name]['plain'] extends boolean ? number : Fields[Name]['plain']
}
type ShownIn<Part extends LogField['part']> = {
  readonly [
    Name in keyof Fields as Fields[Name] extends { readonly part: Part }
      ? Fields[Name] extends { readonly shownAs: infer Other extends string }
        ? Other
        : Name
      : never
  ]: Fields[Name]['plain']
}

export interface LogParts {
  readonly request: ShownIn<'request'>
  readonly tokens: ShownIn<'tokens'>
  readonly answer: ShownIn<'answer'>
  readonly metadata: ShownIn<'metadata'>
}

/** Every column with its names in the table, in ledger rows and in replies. */
export const LOG_COLUMNS = Object.entries<LogField>(LOG_FIELDS).map(([name, field]) => ({
  ...field,
  column: name as keyof LogColumns,
  property: field.property as keyof LogValues,
  shownAs: field.shownAs ?? name,
}))
export type LogColumn = (typeof LOG_COLUMNS)[number]

/** Names of the values that a settlement states, in the order in which they are passed to the database thread. */
export const SETTLED_LOG = settledNames()
export const PLAIN_LOG = plainValues(false) as LogValues
/** Log values of a settlement that states none. */
export const PLAIN_SETTLED_LOG = plainValues(true) as SettledLog
export const PLAIN_LOG_COLUMNS = plainColumns()

// The annotations keep these functions out of the console's bundle, which does not use them.
/* @__NO_SIDE_EFFECTS__ */
function settledNames(): readonly (keyof SettledLog)[] {
  return LOG_COLUMNS.filter(({ settled }) => settled).map(({ property }) => property as keyof SettledLog)
}

/* @__NO_SIDE_EFFECTS__ */
function plainValues(onlySettled: boolean): unknown {
  const columns = LOG_COLUMNS.filter(({ settled }) => settled === true || !onlySettled)
  return Object.fromEntries(columns.map(({ property, plain }) => [property, plain]))
}

/* @__NO_SIDE_EFFECTS__ */
function plainColumns(): LogColumns {
  const entries = LOG_COLUMNS.map(({ column, plain }) => [column, typeof plain === 'boolean' ? Number(plain) : plain])
  return Object.fromEntries(entries) as LogColumns
}
