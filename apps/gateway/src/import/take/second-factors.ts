import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { type FieldProblem, Fields } from './fields.ts'
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

export const FACTORS_MAX = 200_000
const BYTES_MAX = 4_096
const BASE32 = /^[A-Z2-7]{16,128}$/

type OfUser<T> = ReadonlyMap<number, T>

/** TOTP secrets, and the faults of rows, whether or not their user is known. */
export interface ReadSecrets {
  readonly secrets: OfUser<string>
  readonly faults: OfUser<FieldProblem>
  readonly ofNobody: readonly FieldProblem[]
}

/** TOTP secrets of new-api by user, in base32. An unreadable row makes its user faulty: the password alone would then suffice. */
export function totpSecrets(rows: readonly ForeignRow[]): ReadSecrets {
  const secrets = new Map<number, string>()
  const faults = new Map<number, FieldProblem>()
  const ofNobody: FieldProblem[] = []
  for (const row of rows) {
    const owner = new Fields(row)
    const user = owner.integer('user_id', 1, Number.MAX_SAFE_INTEGER)
    const fields = new Fields(row)
    const isOn = fields.flag('is_enabled') && !fields.deleted('deleted_at')
    const secret = isOn ? totpSecretOf(fields, 'secret') : ''
    if (isOn && secret === '') fields.refuse('secret', 'is empty')
    const fault = fields.fault
    if (owner.fault !== undefined) {
      if (isOn || fault !== undefined) ofNobody.push(owner.fault)
    } else if (fault !== undefined) faults.set(user, { ...fault, field: `two_fas.${fault.field}` })
    else if (isOn) secrets.set(user, secret)
  }
  return { secrets, faults, ofNobody }
}

/** The TOTP secret in base32; empty for none. */
export function totpSecretOf(fields: Fields, field: string): string {
  const given = fields.text(field, 255).trim().toUpperCase()
  const secret = given.replaceAll('=', '')
  // Padding alone is a damaged secret, not a missing one.
  if (given !== '' && !BASE32.test(secret)) fields.refuse(field, 'is not a base32 secret')
  return secret
}

export interface ReadPasskeys {
  readonly passkeys: OfUser<readonly SourcePasskey[]>
  readonly faults: readonly (FieldProblem & { readonly user: string })[]
}

export function passkeysOf(rows: readonly ForeignRow[]): ReadPasskeys {
  const passkeys = new Map<number, SourcePasskey[]>()
  const faults: (FieldProblem & { readonly user: string })[] = []
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
    const isDeleted = fields.deleted('deleted_at')
    if (passkey.credentialId === '') fields.refuse('credential_id', 'is empty')
    if (passkey.publicKey === '') fields.refuse('public_key', 'is empty')
    if (fields.fault !== undefined) {
      if (!isDeleted) faults.push({ ...fields.fault, user: user === 0 ? '?' : String(user) })
    } else if (!isDeleted) passkeys.set(user, [...(passkeys.get(user) ?? []), passkey])
  }
  return { passkeys, faults }
}

/** Laisky has a comma-separated list, new-api a JSON list. */
function transportsOf(fields: Fields): string {
  const text = fields.text('transport', 255) || fields.text('transports', 255)
  return listOf(text.replaceAll(/["[\]\s]/g, ''), ',')
    .filter((name) => /^[a-z-]{1,20}$/.test(name))
    .join(',')
}
