import type { Migration } from '../migration.ts'
import { base } from './0001-base.ts'
import { ledger } from './0002-ledger.ts'
import { accounts } from './0003-accounts.ts'
import { messages } from './0004-messages.ts'
import { redemptions } from './0005-redemptions.ts'
import { channels } from './0006-channels.ts'
import { audit } from './0007-audit.ts'
import { logIndexes } from './0008-log-indexes.ts'
import { emailAnyCase } from './0009-email-any-case.ts'
import { units } from './0010-units.ts'
import { refunds } from './0011-refunds.ts'
import { partitions } from './0012-partitions.ts'
import { budgets } from './0013-budgets.ts'
import { alarms } from './0014-alarms.ts'
import { checks } from './0015-checks.ts'
import { ledgerEvents } from './0016-ledger-events.ts'
import { keptResponses } from './0018-kept-responses.ts'
import { sessionPlaces } from './0019-session-places.ts'
import { routing } from './0020-routing.ts'
import { requestLimits } from './0021-request-limits.ts'
import { channelJobs } from './0022-channel-jobs.ts'
import { channelRests } from './0023-channel-rests.ts'
import { channelHistory } from './0024-channel-history.ts'
import { keptKeys } from './0025-kept-keys.ts'
import { giftsAndCodes } from './0026-gifts-and-codes.ts'
import { textOrder } from './0029-text-order.ts'
import { recordLog } from './0030-record-log.ts'
import { tokenGroups } from './0031-token-groups.ts'
import { imports } from './0032-imports.ts'
import { configuration } from './0033-configuration.ts'
import { databaseMove } from './0034-database-move.ts'
import { doctor } from './0035-doctor.ts'
import { backgroundResponses } from './0036-background-responses.ts'
import { usageSessions } from './0037-usage-sessions.ts'
import { runningCalls } from './0038-running-calls.ts'
import { ownKeys } from './0039-own-keys.ts'
import { importedFields } from './0040-imported-fields.ts'

/** Every step, in order. Static, so that nothing is looked up on disk at run time. */
export const MIGRATIONS: readonly Migration[] = [
  base,
  ledger,
  accounts,
  messages,
  redemptions,
  channels,
  audit,
  logIndexes,
  emailAnyCase,
  units,
  refunds,
  partitions,
  budgets,
  alarms,
  checks,
  ledgerEvents,
  keptResponses,
  sessionPlaces,
  routing,
  requestLimits,
  channelJobs,
  channelRests,
  channelHistory,
  keptKeys,
  giftsAndCodes,
  textOrder,
  recordLog,
  tokenGroups,
  imports,
  configuration,
  databaseMove,
  doctor,
  backgroundResponses,
  usageSessions,
  runningCalls,
  ownKeys,
  importedFields,
]
