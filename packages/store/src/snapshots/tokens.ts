import { splitList } from '@sluice/contract/fields/comma-list'
import { SELECTED_SETTINGS, settingsOfRow, type TokenSettings } from '@sluice/contract/fields/token'
import type { Kysely } from 'kysely'
import type { RequestLimits } from '../options/request-limits.ts'
import type { Schema } from '../schema/schema.ts'

export type TokenGuardRules = Pick<TokenSettings, 'sessionQuota' | 'repeatRpm' | 'quietHours'>
type ListSetting = 'models' | 'subnet' | 'groups'

/** The token behind a key as authentication needs it, read in one query. */
export interface TokenSnapshot {
  readonly token: Omit<TokenSettings, ListSetting | keyof RequestLimits | keyof TokenGuardRules> & {
    readonly id: number
    /** 1 enabled, 2 disabled. */
    readonly status: number
    /** Empty: every model of the user's group is allowed. */
    readonly models: readonly string[]
    /** IPs and CIDRs; empty: every address. */
    readonly subnet: readonly string[]
    /** In the order in which they are tried; empty: the user's group. */
    readonly groups: readonly string[]
    readonly limits: RequestLimits
    readonly guard: TokenGuardRules
  }
  readonly user: {
    readonly id: number
    readonly username: string
    /** 1 enabled, 2 disabled, 3 deleted. */
    readonly status: number
    readonly role: number
    readonly group: string
  }
  /** The user's own provider keys; absent for users without any. */
  readonly ownKeys?: readonly OwnKeySnapshot[]
  /** Undefined if the account has not been opened yet. */
  readonly userAccount: AccountSnapshot | undefined
  readonly tokenAccount: AccountSnapshot | undefined
}

/** A user's own key for a vendor, still sealed; see `openOwnKey`. */
export interface OwnKeySnapshot {
  readonly vendor: string
  readonly sealed: string
  /** Whether the platform's channels may serve requests that it could not. */
  readonly fallsBack: boolean
}

/** A balance as it was when read: for admission only, never authoritative. Amounts are mq. */
export interface AccountSnapshot {
  readonly id: number
  readonly posted: bigint
  readonly held: bigint
  readonly creditFloor: bigint
  readonly unlimited: boolean
}

/** The token whose bare key has this SHA-256 (hex), with its owner and both balances; undefined when there is none. */
export async function findTokenByKeyHash(db: Kysely<Schema>, keyHash: string): Promise<TokenSnapshot | undefined> {
  return await findToken(db, 'token.key_hash', keyHash)
}

/** The same by row id, for calls that are not charged. */
export async function findTokenById(db: Kysely<Schema>, id: number): Promise<TokenSnapshot | undefined> {
  return await findToken(db, 'token.id', id)
}

const SNAPSHOT_COLUMNS = [
  ...SELECTED_SETTINGS,
  'token.id as tokenId',
  'token.status as tokenStatus',
  'user.id as userId',
  'user.username',
  'user.status as userStatus',
  'user.role',
  'user.group_name as group',
  'ua.id as uaId',
  'ua.posted as uaPosted',
  'ua.held as uaHeld',
  'ua.credit_floor as uaFloor',
  'ua.unlimited as uaUnlimited',
  'ta.id as taId',
  'ta.posted as taPosted',
  'ta.held as taHeld',
  'ta.credit_floor as taFloor',
  'ta.unlimited as taUnlimited',
  'own_key.vendor',
  'own_key.key_sealed as ownSealed',
  'own_key.falls_back as fallsBack',
] as const

async function findToken(
  db: Kysely<Schema>,
  column: 'token.key_hash' | 'token.id',
  value: string | number,
): Promise<TokenSnapshot | undefined> {
  // One row, or one for each of the user's own keys.
  const rows = await db
    .selectFrom('token')
    .innerJoin('user', 'user.id', 'token.user_id')
    .leftJoin('own_key', 'own_key.user_id', 'token.user_id')
    .leftJoin('account as ua', (join) => join.on('ua.kind', '=', 'user').onRef('ua.owner_id', '=', 'user.id'))
    .leftJoin('account as ta', (join) => join.on('ta.kind', '=', 'token').onRef('ta.owner_id', '=', 'token.id'))
    .select(SNAPSHOT_COLUMNS)
    .where(column, '=', value)
    .execute()
  const [row] = rows
  if (row === undefined) return undefined
  const ownKeys = rows.flatMap(({ vendor, ownSealed: sealed, fallsBack }) =>
    vendor === null || sealed === null ? [] : [{ vendor, sealed, fallsBack: fallsBack !== 0 }],
  )
  const { rpm, tpm, concurrency, sessionQuota, repeatRpm, quietHours, ...settings } = settingsOfRow(row)
  return {
    token: {
      ...settings,
      id: row.tokenId,
      status: row.tokenStatus,
      models: splitList(row.models),
      subnet: splitList(row.subnet),
      groups: splitList(row.groups),
      limits: { rpm, tpm, concurrency },
      guard: { sessionQuota, repeatRpm, quietHours },
    },
    user: { id: row.userId, username: row.username, status: row.userStatus, role: row.role, group: row.group },
    ...(ownKeys.length === 0 ? {} : { ownKeys }),
    userAccount: accountOf(row.uaId, row.uaPosted, row.uaHeld, row.uaFloor, row.uaUnlimited),
    tokenAccount: accountOf(row.taId, row.taPosted, row.taHeld, row.taFloor, row.taUnlimited),
  }
}

function accountOf(
  id: number | null,
  posted: bigint | null,
  held: bigint | null,
  creditFloor: bigint | null,
  unlimited: number | null,
): AccountSnapshot | undefined {
  if (id === null || posted === null || held === null || creditFloor === null) return undefined
  return { id, posted, held, creditFloor, unlimited: unlimited !== 0 }
}
