import * as v from 'valibot'
import { whenAbsent } from './absence.ts'
import { unixSeconds } from './scalars.ts'

/** songquanpeng's One API, Laisky's fork, new-api, and Sluice itself (`sluice export`). */
export const IMPORT_FAMILIES = ['one-api', 'laisky', 'new-api', 'sluice'] as const
export type ImportFamily = (typeof IMPORT_FAMILIES)[number]

/** In order; a check ends after `check`. */
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
 * `refused`: the source breaks a rule, and nothing was written. `failed`: it could not be done; the data written so far is
 * consistent, and another run continues. `stopped`: by a user or with its process; otherwise like `failed`.
 */
export const IMPORT_OUTCOMES = ['running', 'done', 'refused', 'failed', 'stopped'] as const

/** `check` writes nothing. */
export const IMPORT_MODES = ['check', 'import'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]

/** Most entries of each kind that a report lists; all are counted. */
export const IMPORT_LISTED_MAX = 1_000

/** Largest SQLite upload, in bytes. */
export const IMPORT_UPLOAD_MAX = 4_294_967_296

export const importChoices = {
  /** Identifies the source gateway across repeated imports; empty for the name of its family. */
  name: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^([a-z0-9][a-z0-9-]{0,30})?$/, 'must be at most 31 lower-case letters, digits and hyphens'),
      // These words are parts of transfer ids.
      v.check((name) => !/(^|-)(user|token|start)(-|$)/.test(name), 'must not contain the words user, token or start'),
    ),
    '',
  ),
  /** Log import: nothing, daily sums for the dashboards, or sums and every row. */
  logs: v.optional(v.picklist(['none', 'sums', 'rows']), 'sums'),
  /** Unix seconds; older log rows are left out. */
  since: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  /** Users with a negative balance: refuse the import, import the debt, or start at 0. */
  debts: v.optional(v.picklist(['refuse', 'keep', 'forgive']), 'refuse'),
  /** If the source's ratios differ from the price book: keep its prices, or charge by the book. */
  prices: v.optional(v.picklist(['keep', 'book']), 'keep'),
  /** Import the rest even if more than one percent of the rows cannot be imported. */
  leave_out: v.optional(v.boolean(), false),
  /** At most one of the source's root users becomes root here and the others administrators, or all become root. */
  roots: v.optional(v.picklist(['one', 'all']), 'one'),
} as const

/** An uploaded file, or an address: `postgres://…` or `mysql://…`, whose user and password are not stored. */
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
const points = v.pipe(v.string(), v.regex(/^-?\d{1,30}$/))

export const importTable = v.object({
  /** `users`, `tokens`, `channels`, `redemptions`, `options`, `logs`, … */
  name: v.string(),
  rows: count,
  added: count,
  /** Imported before, changed at the source since. */
  changed: count,
  /** Imported before, unchanged since. */
  unchanged: count,
  /** Deliberately not imported: deleted, or part of a deleted object. */
  skipped: count,
  /** Not importable; each is listed as a problem. */
  left_out: count,
  /** Imported before, deleted at the source since; switched off here. */
  gone: count,
})
export type ImportTable = v.InferOutput<typeof importTable>

export const importProblem = v.object({
  table: v.string(),
  id: v.string(),
  field: v.string(),
  problem: v.string(),
  /** `left_out`: the row is not imported. `adapted`: it is imported in a changed form. */
  effect: v.picklist(['left_out', 'adapted']),
})
export type ImportProblem = v.InferOutput<typeof importProblem>

/** One side of the comparison; sums in whole points. */
const importTotals = v.object({
  users: count,
  balances: points,
  /** SHA-256 in hex of `<id at the source>:<balance>` and a line feed for each user, ordered by id. */
  digest: v.string(),
  tokens: count,
  limits: points,
  channels: count,
  codes_unused: count,
  codes: points,
  /** Requests and quota in the imported part of the log. */
  requests: count,
  used: points,
})
export type ImportTotals = v.InferOutput<typeof importTotals>

/** US dollars per million tokens, or per call; null for none. */
const importPrice = v.object({
  input: v.nullable(v.number()),
  cached_input: v.nullable(v.number()),
  output: v.nullable(v.number()),
  per_call: v.nullable(v.number()),
})

export const importReport = v.object({
  tables: v.array(importTable),
  problems: v.array(importProblem),
  problem_count: count,
  /** Fields that keep their local values because they were changed or protected here; the first `IMPORT_LISTED_MAX`. */
  kept: whenAbsent(v.array(v.object({ table: v.string(), id: v.string(), field: v.string(), reason: v.string() })), []),
  kept_count: whenAbsent(count, 0),
  /** Why nothing was written; empty for no objection. */
  refused: v.array(v.string()),
  /** Other remarks, such as identities that cannot be verified here. */
  notes: v.array(v.string()),
  /** Columns and tables that are not read. */
  unknown: v.array(v.object({ table: v.string(), columns: v.array(v.string()) })),
  before: importTotals,
  /** Totals in the ledger and tables after the run; null for a check. */
  after: v.nullable(importTotals),
  /** Sum of the current balances of all imported users; differs from `after` by amounts spent and given here since. */
  balances_now: v.nullable(points),
  /** Models whose price differs from the price book by more than one percent, or is not in the book. */
  prices: v.array(
    v.object({
      model: v.string(),
      theirs: importPrice,
      ours: v.nullable(importPrice),
      /** The largest difference, as a fraction of our price; null without a price to compare. */
      difference: v.nullable(v.number()),
    }),
  ),
  settings: v.array(
    v.object({
      key: v.string(),
      /** `set` here; `kept`: already has a value here; `unused`: has no meaning here; `invalid`: cannot be set. */
      effect: v.picklist(['set', 'kept', 'unused', 'invalid']),
      reason: v.string(),
    }),
  ),
  proof: v.nullable(v.array(v.object({ id: v.string(), statement: v.string(), ok: v.boolean() }))),
})
export type ImportReport = v.InferOutput<typeof importReport>

export const importRun = v.object({
  /** 0 before the first run. */
  id: count,
  /** The gateway's name; empty until its family is recognised. */
  name: v.string(),
  /** The source, without user and password. */
  label: v.string(),
  /** One of `IMPORT_FAMILIES`, or empty. */
  family: v.string(),
  mode: v.picklist(IMPORT_MODES),
  outcome: v.picklist(IMPORT_OUTCOMES),
  /** A stop was requested; the run is about to end. */
  stopping: v.boolean(),
  /** One of `IMPORT_STAGES`, or empty. */
  stage: v.string(),
  /** Rows of the current stage. */
  done: count,
  total: count,
  started_by: count,
  /** Empty when started on the command line. */
  started_by_name: v.string(),
  started_at: unixSeconds,
  /** 0 while it runs. */
  ended_at: unixSeconds,
  report: v.nullable(importReport),
})
export type ImportRun = v.InferOutput<typeof importRun>
