import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { Fields } from './fields.ts'
import { listOf } from './take-token.ts'

/** Passkeys work as long as the domain stays the same. */
export interface SourcePasskey {
  readonly name: string
  /** base64url. */
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  readonly signCount: number
  /** Comma-separated. */
  readonly transports: string
  /** Unix seconds; 0 unknown. */
  readonly createdTime: number
}

export const TWO_FA_COLUMNS = ['user_id', 'secret', 'is_enabled', 'deleted_at'] as const
export const PASSKEY_COLUMNS = [
  'user_id',
  'credential_name',
  'credential_id',
  'public_key',
  'sign_count',
  'transport',
  'transports',
  'deleted_at',
] as const

/** Rows of such a table that are read. */
export const FACTORS_MAX = 200_000
const BYTES_MAX = 4_096

/** Secrets of new-api's second step by user, in base32. */
export function totpSecrets(rows: readonly ForeignRow[]): ReadonlyMap<number, string> {
  const secrets = new Map<number, string>()
  for (const row of rows) {
    const fields = new Fields(row)
    const user = fields.integer('user_id', 1, Number.MAX_SAFE_INTEGER)
    const secret = fields.required('secret', 255).trim().toUpperCase().replaceAll('=', '')
    const isOn = fields.flag('is_enabled') && !fields.deleted('deleted_at')
    if (fields.fault === undefined && isOn) secrets.set(user, secret)
  }
  return secrets
}

/** Passkeys by user. */
export function passkeysOf(rows: readonly ForeignRow[]): ReadonlyMap<number, readonly SourcePasskey[]> {
  const passkeys = new Map<number, SourcePasskey[]>()
  for (const row of rows) {
    const fields = new Fields(row)
    const user = fields.integer('user_id', 1, Number.MAX_SAFE_INTEGER)
    const passkey = {
      name: fields.text('credential_name', 128) || 'Passkey',
      credentialId: Buffer.from(fields.bytes('credential_id', BYTES_MAX)).toString('base64url'),
      publicKey: Buffer.from(fields.bytes('public_key', BYTES_MAX)).toString('base64url'),
      signCount: fields.integer('sign_count', 0, 4_294_967_295, 0),
      transports: transportsOf(fields),
      createdTime: 0,
    }
    if (fields.fault !== undefined || fields.deleted('deleted_at') || passkey.credentialId === '') continue
    passkeys.set(user, [...(passkeys.get(user) ?? []), passkey])
  }
  return passkeys
}

/** Laisky has a comma-separated list, new-api a JSON list. */
function transportsOf(fields: Fields): string {
  const text = fields.text('transport', 255) || fields.text('transports', 255)
  return listOf(text.replaceAll(/["[\]\s]/g, ''), ',')
    .filter((name) => /^[a-z-]{1,20}$/.test(name))
    .join(',')
}
