import type { ColumnTypes } from '../column-types.ts'
import type { Migration } from '../migration.ts'
import { importedUsageTriggers, rollUpTriggers } from '../rollup-triggers.ts'
import { sessionTriggers } from '../session-triggers.ts'
import { ACCOUNT_TABLES } from './baseline/accounts.ts'
import { CHANNEL_TABLES } from './baseline/channels.ts'
import { LEDGER_TABLES } from './baseline/ledger.ts'
import { UPKEEP_TABLES } from './baseline/upkeep.ts'
import { USAGE_TABLES } from './baseline/usage.ts'

const TABLES = [...ACCOUNT_TABLES, ...CHANNEL_TABLES, ...LEDGER_TABLES, ...USAGE_TABLES, ...UPKEEP_TABLES]

/** The schema of the first release, in place of the steps that led there. Column types are in braces, as in `ColumnTypes`. */
export const baseline: Migration = {
  name: '0039-baseline',
  breaking: false,
  statements: (t) => {
    const types: Readonly<Record<string, string>> = { ...t, ...(t.engine === 'sqlite' ? SQLITE : POSTGRES) }
    return [
      ...TABLES.map((statement) => statement.replaceAll(/\{(\w+)\}/g, (_, name: string) => types[name] ?? '')),
      ...rollUpTriggers(t.engine),
      ...sessionTriggers(t.engine),
      ...importedUsageTriggers(t.engine),
      ...(t.engine === 'sqlite' ? ofSqlite(t) : OF_POSTGRES),
    ]
  },
  replaces: [
    '0001-base',
    '0002-ledger',
    '0003-accounts',
    '0004-messages',
    '0005-redemptions',
    '0006-channels',
    '0007-audit',
    '0008-log-indexes',
    '0009-email-any-case',
    '0010-units',
    '0011-refunds',
    '0012-partitions',
    '0013-budgets',
    '0014-alarms',
    '0015-checks',
    '0016-ledger-events',
    '0018-kept-responses',
    '0019-session-places',
    '0020-routing',
    '0021-request-limits',
    '0022-channel-jobs',
    '0023-channel-rests',
    '0024-channel-history',
    '0025-kept-keys',
    '0026-gifts-and-codes',
    '0029-text-order',
    '0030-record-log',
    '0031-token-groups',
    '0032-imports',
    '0033-configuration',
    '0034-database-move',
    '0035-doctor',
    '0036-background-responses',
    '0037-usage-sessions',
    '0038-running-calls',
    '0039-own-keys',
  ],
}

const SQLITE = { orderedText: 'text', inParts: 'without rowid' }
const POSTGRES = { orderedText: 'text collate "C"', inParts: 'partition by range (request_id)' }

function ofSqlite(t: ColumnTypes): readonly string[] {
  return [
    `insert into database_move (id) values (lower(hex(randomblob(16))))`,
    // The id of this file, and the number of the last record up to which all records are in the tables; see `sqlite/record-log.ts`.
    `create table record_log (id ${t.text} primary key, applied ${t.safeInteger} not null)`,
    `insert into record_log (id, applied) values (lower(hex(randomblob(16))), 0)`,
  ]
}

const OF_POSTGRES: readonly string[] = [
  `insert into database_move (id) values (replace(gen_random_uuid()::text, '-', ''))`,
  // SQLite orders texts like this, so lists are sorted alike whatever language a database was created in.
  `create collation if not exists "binary" (locale = 'C')`,
  'create table transfer_other partition of transfer default',
]
