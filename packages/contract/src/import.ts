import * as v from 'valibot'
import { whenAbsent } from './absence.ts'
import { unixSeconds } from './scalars.ts'

/** Programs whose data can be imported: songquanpeng's One API, the fork of Laisky, new-api, and what `sluice export` wrote. */
export const IMPORT_FAMILIES = ['one-api', 'laisky', 'new-api', 'sluice'] as const
export type ImportFamily = (typeof IMPORT_FAMILIES)[number]

/** In this order. A check ends after `check`. */
export const IMPORT_STAGES = [
  'open',
  'check',
  'settings',
  'channels',
  'users',
  'tokens',
  'codes',
  'usage',
  'logs',
  'verify',
] as const
export type ImportStage = (typeof IMPORT_STAGES)[number]

/**
 * `refused`: the source breaks a rule, and nothing was written. `failed`: it could not be done; what was written is whole, and a
 * repeated run continues. `stopped`: by a user, or with its process; the same holds.
 */
export const IMPORT_OUTCOMES = ['running', 'done', 'refused', 'failed', 'stopped'] as const

/** `check` writes nothing. */
export const IMPORT_MODES = ['check', 'import'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]

/** Entries that a report lists of each kind; it counts all. */
export const IMPORT_LISTED_MAX = 1_000

/** Largest SQLite file that can be uploaded, in bytes. */
export const IMPORT_UPLOAD_MAX = 4_294_967_296

/** How the data is taken. */
export const importChoices = {
  /** The name by which the same gateway is recognised when it is imported repeatedly; empty: that of its family. */
  name: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^([a-z0-9][a-z0-9-]{0,30})?$/, 'must be lower-case letters, digits and hyphens, at most 31'),
      // They are parts of the ids of transfers.
      v.check((name) => !/(^|-)(user|token|start)(-|$)/.test(name), 'must not contain the words user, token or start'),
    ),
    '',
  ),
  /** What becomes of the log: nothing, daily sums for the dashboards, or sums and every row. */
  logs: v.optional(v.picklist(['none', 'sums', 'rows']), 'sums'),
  /** Unix seconds: older log rows are left out. */
  since: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  /** Users with a negative balance: refuse the import, bring the debt, or begin with 0. */
  debts: v.optional(v.picklist(['refuse', 'keep', 'forgive']), 'refuse'),
  /** Where their ratios differ from the price book: keep their prices, or charge by the book. */
  prices: v.optional(v.picklist(['keep', 'book']), 'keep'),
  /** Take the rest even if more than one row in a hundred cannot be taken. */
  leave_out: v.optional(v.boolean(), false),
  /** Roots of the source: one at most is root here, and the others become administrators; or all of them are. */
  roots: v.optional(v.picklist(['one', 'all']), 'one'),
} as const

/** An uploaded file, or an address: `postgres://…` or `mysql://…` with user and password, which are not stored. */
const importSource = v.variant('from', [
  v.object({ from: v.literal('upload'), upload: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'is not an upload')) }),
  v.object({
    from: v.literal('address'),
    address: v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(2_000),
      v.regex(/^(postgres(ql)?|mysql):\/\/./, 'must begin with postgres:// or mysql://'),
    ),
  }),
])

export const importOrder = v.object({ source: importSource, mode: v.picklist(IMPORT_MODES), ...importChoices })
export type ImportChoices = Omit<v.InferOutput<typeof importOrder>, 'source' | 'mode'>

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Whole quota points of any size. */
const points = v.pipe(v.string(), v.regex(/^-?\d{1,30}$/))

/** Rows of one table, by what becomes of them. */
export const importTable = v.object({
  /** `users`, `tokens`, `channels`, `redemptions`, `options`, `logs`, … */
  name: v.string(),
  rows: count,
  /** New here. */
  added: count,
  /** Brought before, and changed at the source since. */
  changed: count,
  /** Brought before, and still the same. */
  unchanged: count,
  /** Not meant to be brought: deleted, or part of something deleted. */
  skipped: count,
  /** Cannot be taken; each is a problem. */
  left_out: count,
  /** Brought before, and gone from the source since; switched off here. */
  gone: count,
})
export type ImportTable = v.InferOutput<typeof importTable>

/** What is wrong with a field of a row. */
export const importProblem = v.object({
  table: v.string(),
  /** Id of the row at the source, or its key. */
  id: v.string(),
  field: v.string(),
  problem: v.string(),
  /** `left_out`: the row is not taken. `adapted`: it is taken in another form. */
  effect: v.picklist(['left_out', 'adapted']),
})
export type ImportProblem = v.InferOutput<typeof importProblem>

/** One side of the comparison. Sums in whole points. */
const importTotals = v.object({
  users: count,
  /** Sum of the balances. */
  balances: points,
  /** SHA-256, hex, of `<id at the source>:<balance>` and a line feed for each user, in the order of the ids. */
  digest: v.string(),
  tokens: count,
  /** Sum of what limited tokens have left. */
  limits: points,
  channels: count,
  codes_unused: count,
  /** Sum of the unused codes. */
  codes: points,
  /** Requests and quota of the log, as far as it is brought. */
  requests: count,
  used: points,
})
export type ImportTotals = v.InferOutput<typeof importTotals>

/** Prices in US dollars per million tokens, or per call; null where there is none. */
const importPrice = v.object({
  input: v.nullable(v.number()),
  cached_input: v.nullable(v.number()),
  output: v.nullable(v.number()),
  per_call: v.nullable(v.number()),
})

export const importReport = v.object({
  tables: v.array(importTable),
  /** The first `IMPORT_LISTED_MAX`. */
  problems: v.array(importProblem),
  problem_count: count,
  /** Fields that stay as they are here, because they were changed or protected here: the first `IMPORT_LISTED_MAX`. */
  kept: whenAbsent(v.array(v.object({ table: v.string(), id: v.string(), field: v.string(), reason: v.string() })), []),
  kept_count: whenAbsent(count, 0),
  /** Why nothing was written; empty when nothing stands against it. */
  refused: v.array(v.string()),
  /** What is worth knowing besides, such as bindings that prove nothing here. */
  notes: v.array(v.string()),
  /** Columns and tables that are not read. */
  unknown: v.array(v.object({ table: v.string(), columns: v.array(v.string()) })),
  before: importTotals,
  /** As the ledger and the tables have it after the run; null for a check. */
  after: v.nullable(importTotals),
  /** Sum of the present balances of all who were brought: differs from `after` by what was spent and given here since. */
  balances_now: v.nullable(points),
  /** Models whose price differs by more than one percent from the price book, or that the book does not have. */
  prices: v.array(
    v.object({
      model: v.string(),
      theirs: importPrice,
      ours: v.nullable(importPrice),
      /** The largest difference, as a fraction of our price; null when there is no price to compare with. */
      difference: v.nullable(v.number()),
    }),
  ),
  /** What became of their settings. */
  settings: v.array(
    v.object({
      key: v.string(),
      /** `set` here; `kept`: already has a value here; `unused`: has no meaning here; `invalid`: cannot be set. */
      effect: v.picklist(['set', 'kept', 'unused', 'invalid']),
      reason: v.string(),
    }),
  ),
  /** The proof of the ledger at the end; null for a check. */
  proof: v.nullable(v.array(v.object({ id: v.string(), statement: v.string(), ok: v.boolean() }))),
})
export type ImportReport = v.InferOutput<typeof importReport>

export const importRun = v.object({
  /** 0 before there was one. */
  id: count,
  /** The name by which the gateway is known; empty until its family is recognised. */
  name: v.string(),
  /** What was read, without user and password. */
  label: v.string(),
  /** One of `IMPORT_FAMILIES`, or empty. */
  family: v.string(),
  mode: v.picklist(IMPORT_MODES),
  outcome: v.picklist(IMPORT_OUTCOMES),
  /** Somebody has requested a stop, and it is about to stop. */
  stopping: v.boolean(),
  /** One of `IMPORT_STAGES`, or empty. */
  stage: v.string(),
  /** Rows of the stage. */
  done: count,
  total: count,
  started_by: count,
  /** Empty for the command line. */
  started_by_name: v.string(),
  started_at: unixSeconds,
  /** 0 while it runs. */
  ended_at: unixSeconds,
  report: v.nullable(importReport),
})
export type ImportRun = v.InferOutput<typeof importRun>
