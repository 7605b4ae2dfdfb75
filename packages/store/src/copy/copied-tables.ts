import { ROLL_UP_TABLES } from '../rollup-triggers.ts'

/** Why a table is, or is not, copied when the data moves to another database. */
interface TableDecision {
  readonly table: string
  readonly why: string
}

/** Tables whose rows are copied unchanged; tables that others refer to come first. */
const ROWS: readonly TableDecision[] = [
  { table: 'user', why: 'who may sign in' },
  { table: 'account', why: 'balances' },
  { table: 'price', why: 'what charges were computed from' },
  { table: 'ledger_check', why: 'the checkpoint of the last sound proof' },
  { table: 'ledger_check_result', why: 'what a proof found' },
  { table: 'account_checkpoint', why: 'sums from which the next proof goes on' },
  { table: 'budget', why: 'what may be spent in a period, and what was' },
  { table: 'hold', why: 'charged by their progress at the first start, as after any other end of their gateway' },
  { table: 'transfer', why: 'every movement of money' },
  { table: 'trace', why: 'how a request went' },
  { table: 'ledger_event', why: 'notices that have not been sent' },
  { table: 'token', why: 'keys of clients' },
  { table: 'token_pause', why: 'what sessions have cost, and what is paused' },
  { table: 'token_transaction', why: 'quota that other programs have reserved' },
  { table: 'redemption', why: 'codes' },
  { table: 'session', why: 'users stay signed in' },
  { table: 'identity', why: 'accounts at sign-in providers' },
  { table: 'passkey', why: 'sign-in' },
  { table: 'own_key', why: 'the provider keys that users have stored for their own calls' },
  { table: 'recovery_code', why: 'sign-in' },
  { table: 'email_code', why: 'a code that was mailed works after the move' },
  { table: 'password_reset', why: 'a link that was mailed works after the move' },
  { table: 'ceremony', why: 'a sign-in in progress can be completed' },
  { table: 'oauth_state', why: 'a sign-in in progress can be completed' },
  { table: 'pending_gift', why: 'gifts that have not been paid' },
  { table: 'gift_receiver', why: 'no gift is given twice' },
  { table: 'channel', why: 'upstream accounts' },
  { table: 'channel_key', why: 'keys that are switched off' },
  { table: 'channel_history', why: 'the status page' },
  { table: 'channel_minute', why: 'what may switch a channel off' },
  { table: 'channel_minute_failure', why: 'what may switch a channel off' },
  { table: 'channel_rest', why: 'lanes that are left alone for now' },
  { table: 'option', why: 'settings' },
  { table: 'configuration_owner', why: 'which configuration files were applied' },
  { table: 'configuration_item', why: 'what they own' },
  { table: 'snapshot_version', why: 'only grows, so that no cache takes old rows for new ones' },
  { table: 'lease', why: 'epochs only grow; a lost owner is replaced when its lease expires' },
  { table: 'job_run', why: 'what was done on channels' },
  { table: 'outbox', why: 'mail that waits, and what became of the rest' },
  { table: 'alarm', why: 'what needs an administrator' },
  { table: 'kept_response', why: 'who owns what is stored at providers' },
  { table: 'background_response', why: 'answers that their clients have yet to fetch' },
  { table: 'audit', why: 'a chain that is verified as a whole' },
  { table: 'audit_call', why: 'calls that ended without an entry get theirs at the next start' },
  { table: 'audit_head', why: 'the sealed end of the chain' },
  { table: 'import_run', why: 'what was imported' },
  { table: 'imported', why: 'an import can be repeated' },
  { table: 'import_position', why: 'an import can be repeated' },
  { table: 'log', why: 'the list of requests' },
  { table: 'usage_daily', why: 'sums that the ledger keeps' },
  { table: 'imported_usage', why: 'what was used before an import' },
]

/**
 * Every table that is copied, in the order in which rows can be added. The sums that triggers keep are copied too, with the
 * triggers off: the sums also cover rows that have been deleted from `log`.
 */
export const COPIED_TABLES: readonly string[] = [...ROWS.map(({ table }) => table), ...ROLL_UP_TABLES, 'usage_session']

/** Tables that are not copied because they concern only their own database. */
export const UNCOPIED_TABLES: readonly TableDecision[] = [
  { table: 'applied_migration', why: 'each engine has steps of its own' },
  { table: 'database_move', why: 'who this database is' },
  {
    table: 'record_log',
    why: 'the id of this very file, and what a version before read of a record log next to it',
  },
  { table: 'doctor_call', why: 'values that are out for seconds, of calls to this very installation' },
  { table: 'running_call_wish', why: 'seconds old, between processes that work on this database' },
  { table: 'running_call_report', why: 'the same' },
  { table: 'replica', why: 'processes that use this database; holds of others are closed at the next start' },
]
