import { createHash } from 'node:crypto'
import { INT_MAX } from '@sluice/contract/row-id'
import { QUOTA_MAX } from '@sluice/contract/scalars'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { REDEMPTION_STATUS } from '@sluice/store/statuses'
import { Fields } from './fields.ts'
import { SKIPPED, type Taken, takenFrom } from './taken.ts'

export interface SourceCode {
  readonly name: string
  readonly code: string
  /** One of `REDEMPTION_STATUS`. */
  readonly status: number
  /** Whole points. */
  readonly quota: number
  /** The creator's id at the source; 0 unknown. */
  readonly createdBy: number
  /** Id at the source of the user who redeemed it; 0 unknown. */
  readonly usedBy: number
  /** Unix seconds; 0 unknown. */
  readonly createdTime: number
  readonly usedTime: number
  /** Unix seconds; 0 never. */
  readonly expiredTime: number
}

export const CODE_COLUMNS = [
  'id',
  'user_id',
  'key',
  'status',
  'name',
  'quota',
  'created_time',
  'redeemed_time',
  'used_user_id',
  'expired_time',
  'deleted_at',
] as const

const CODE = /^[\x21-\x7e]{4,100}$/

export function takeCode(row: ForeignRow): Taken<SourceCode> {
  const fields = new Fields(row)
  if (fields.deleted('deleted_at')) return SKIPPED
  const code = fields.required('key', 255).trim()
  if (!CODE.test(code)) fields.refuse('key', 'is not a code of 4 to 100 visible characters')
  return takenFrom(fields, {
    name: fields.text('name', 255),
    code,
    status: fields.integer('status', REDEMPTION_STATUS.unused, REDEMPTION_STATUS.used),
    quota: fields.integer('quota', 1, QUOTA_MAX),
    createdBy: fields.integer('user_id', 0, INT_MAX, 0),
    usedBy: fields.integer('used_user_id', 0, INT_MAX, 0),
    createdTime: fields.seconds('created_time'),
    usedTime: fields.seconds('redeemed_time'),
    expiredTime: fields.seconds('expired_time'),
  })
}

/** A mark that identifies a code, because it never changes. */
export function markOfCode({ code }: SourceCode): string {
  return createHash('sha256').update(code).digest('hex')
}
