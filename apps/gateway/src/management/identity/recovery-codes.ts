import { createHash } from 'node:crypto'
import { toBase32 } from './totp.ts'

const CODES = 10
/** 80 bits, 16 characters. */
const CODE_BYTES = 10

/** Ten codes as a person keeps them: `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(randomBytes: (size: number) => Uint8Array): readonly string[] {
  return Array.from({ length: CODES }, () => (toBase32(randomBytes(CODE_BYTES)).match(/.{4}/g) ?? []).join('-'))
}

/** What is stored of a code, however it was typed. 80 random bits need no salt. */
export function recoveryHash(code: string): string {
  return createHash('sha256')
    .update(code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase())
    .digest('hex')
}
