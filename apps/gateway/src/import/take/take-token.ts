import { createHash } from 'node:crypto'
import type { TokenColumns } from '@sluice/contract/fields/token'
import { INT_MAX } from '@sluice/contract/row-id'
import { QUOTA_MAX } from '@sluice/contract/scalars'
import { mqFromQuota } from '@sluice/ledger/units'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { readQuietHours } from '@sluice/store/options/quiet-hours'
import { TOKEN_STATUS } from '@sluice/store/statuses'
import { isAddressRange } from '../../edge/address-range.ts'
import { Fields } from './fields.ts'
import { SKIPPED, type Taken, takenFrom } from './taken.ts'

/** A token of another gateway. Quota in whole points. */
export interface SourceToken {
  /** Id of its owner at the source. */
  readonly userId: number
  readonly name: string
  /** In the form that clients send, without `sk-`. */
  readonly key: string
  readonly isEnabled: boolean
  /** Unix seconds; 0 unknown. */
  readonly createdTime: number
  /** Unix seconds; -1 never. */
  readonly expiredTime: number
  readonly unlimited: boolean
  /** The rest of its limit; 0 for an unlimited token. */
  readonly remain: number
  readonly usedQuota: number
  /** Comma-separated; null allows all. */
  readonly models: string | null
  readonly subnet: string | null
  /** In the order in which they are tried; empty for the owner's group. */
  readonly groups: readonly string[]
  readonly limits: SourceLimits
}

/** Limits as they are stored here. Only an export from here has them, an older one not all. */
export type SourceLimits = Partial<
  Pick<TokenColumns, 'rpm' | 'tpm' | 'concurrency' | 'session_quota' | 'repeat_rpm' | 'quiet_hours'>
>

export const TOKEN_COLUMNS = [
  'id',
  'user_id',
  'key',
  'name',
  'status',
  'created_time',
  'expired_time',
  'unlimited_quota',
  'remain_quota',
  'used_quota',
  'models',
  'subnet',
  'model_limits',
  'model_limits_enabled',
  'allow_ips',
  'group',
  'groups',
  'rpm',
  'tpm',
  'concurrency',
  'session_quota',
  'repeat_rpm',
  'quiet_hours',
  'deleted_at',
] as const

const NAME_MAX = 255
const MODELS_MAX = 20_000
const SUBNET_MAX = 2_000
const GROUP_MAX = 32
const GROUPS_MAX = 10
const LATEST_SECONDS = 253_402_300_799
/** Form of a key that a client can send: the relay reads a hyphen and digits after a key as the number of a channel. */
const KEY = /^[\x21-\x7e]{8,200}$/

export function takeToken(row: ForeignRow): Taken<SourceToken> {
  const fields = new Fields(row)
  if (fields.deleted('deleted_at')) return SKIPPED
  const unlimited = fields.flag('unlimited_quota')
  const token: SourceToken = {
    userId: fields.integer('user_id', 1, INT_MAX),
    name: fields.text('name', NAME_MAX),
    key: keyOf(fields),
    isEnabled: fields.integer('status', 0, 10, TOKEN_STATUS.enabled) !== TOKEN_STATUS.disabled,
    createdTime: fields.seconds('created_time'),
    expiredTime: expiryOf(fields),
    unlimited,
    remain: remainOf(fields, unlimited),
    usedQuota: fields.integer('used_quota', -QUOTA_MAX, QUOTA_MAX, 0),
    models: modelsOf(fields),
    subnet: subnetOf(fields),
    groups: groupsOf(fields),
    limits: limitsOf(fields),
  }
  return takenFrom(fields, token)
}

/** A mark that identifies a token, because it never changes. */
export function markOfToken({ key }: SourceToken): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Some programs of the family list keys with their prefix, and some operators store them that way. */
function keyOf(fields: Fields): string {
  const key = fields.required('key', 255).trim().replace(/^sk-/, '')
  if (!KEY.test(key)) fields.refuse('key', 'is not a key of 8 to 200 visible characters')
  if (/^[^-]*-\d{1,9}$/.test(key))
    fields.refuse('key', 'ends with a hyphen and digits, which clients use to name a channel')
  return key
}

/** The remaining amount of an unlimited token means nothing: the family subtracts every charge from it. */
function remainOf(fields: Fields, unlimited: boolean): number {
  const remain = fields.integer('remain_quota', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  if (unlimited) return 0
  if (Math.abs(remain) > QUOTA_MAX) fields.refuse('remain_quota', `is not between ${-QUOTA_MAX} and ${QUOTA_MAX}`)
  return remain
}

function expiryOf(fields: Fields): number {
  const time = fields.integer('expired_time', -1, LATEST_SECONDS, -1)
  return time <= 0 ? -1 : time
}

/** new-api has a switch in addition to its list. */
function modelsOf(fields: Fields): string | null {
  const isNewApi = !fields.isNull('model_limits_enabled')
  if (isNewApi && !fields.flag('model_limits_enabled')) return null
  const names = listOf(fields.text(isNewApi ? 'model_limits' : 'models', MODELS_MAX), ',')
  // An empty list that is switched on allows nothing there, whereas a missing list allows everything here.
  if (isNewApi && names.length === 0) fields.refuse('model_limits', 'is an empty list that is enabled')
  return names.length === 0 ? null : names.join(',')
}

function subnetOf(fields: Fields): string | null {
  const isNewApi = !fields.isNull('allow_ips')
  const field = isNewApi ? 'allow_ips' : 'subnet'
  const ranges = listOf(fields.text(field, SUBNET_MAX).replaceAll('\n', ','), ',')
  // new-api ignores text that is not an address; leaving out such a restriction would open the token to everyone.
  if (!ranges.every(isAddressRange))
    fields.refuse(field, 'contains something that is neither an IP address nor a CIDR range')
  return ranges.length === 0 ? null : ranges.join(',')
}

/** new-api names one group; an export from here has the complete list in addition to the first. */
function groupsOf(fields: Fields): readonly string[] {
  const groups = listOf(fields.text('groups', 1_000), ',')
  if (groups.length > GROUPS_MAX || groups.some((name) => name.length > GROUP_MAX)) {
    fields.refuse(
      'groups',
      `are not a list of up to ${GROUPS_MAX} group names with at most ${GROUP_MAX} characters each`,
    )
  }
  if (groups.length > 0) return groups
  const group = fields.text('group', 255).trim()
  if (group.length > GROUP_MAX || /[,\p{Cc}]/u.test(group)) {
    fields.refuse(
      'group',
      `is not a group name of at most ${GROUP_MAX} characters without commas and control characters`,
    )
  }
  return group === '' ? [] : [group]
}

function limitsOf(fields: Fields): SourceLimits {
  const count = (column: 'rpm' | 'tpm' | 'concurrency' | 'repeat_rpm') =>
    fields.isNull(column) ? {} : { [column]: fields.integer(column, 0, INT_MAX) }
  return {
    ...count('rpm'),
    ...count('tpm'),
    ...count('concurrency'),
    ...(fields.isNull('session_quota')
      ? {}
      : { session_quota: mqFromQuota(fields.integer('session_quota', 0, QUOTA_MAX)) }),
    ...count('repeat_rpm'),
    ...(fields.isNull('quiet_hours') ? {} : { quiet_hours: quietHoursOf(fields) }),
  }
}

function quietHoursOf(fields: Fields): string | null {
  const text = fields.text('quiet_hours', 100).trim()
  if (text === '') return null
  const read = readQuietHours(text)
  if ('problem' in read) fields.refuse('quiet_hours', read.problem)
  return text
}

export function listOf(text: string, separator: string): readonly string[] {
  const entries = text.split(separator).map((entry) => entry.trim())
  return [...new Set(entries)].filter((entry) => entry !== '')
}
