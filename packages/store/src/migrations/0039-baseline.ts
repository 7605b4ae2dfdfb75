import type { Migration } from '../migration.ts'
import { accountTables } from './baseline/accounts.ts'
import { channelTables } from './baseline/channels.ts'
import { ledgerTables } from './baseline/ledger.ts'
import { upkeepTables } from './baseline/upkeep.ts'
import { usageTables } from './baseline/usage.ts'

/** Everything that was there before the first release. It takes the place of the steps that led there. */
export const baseline: Migration = {
  name: '0039-baseline',
  breaking: false,
  statements: (t) => [
    ...accountTables(t),
    ...channelTables(t),
    ...ledgerTables(t),
    ...usageTables(t),
    ...upkeepTables(t),
  ],
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
