import { createHash } from 'node:crypto'

const CODE_BYTES = 16

/** 128 random bits as 32 hex characters, as the family's codes look. */
export function newCode(randomBytes: (size: number) => Uint8Array): string {
  return Buffer.from(randomBytes(CODE_BYTES)).toString('hex')
}

/** The value by which a code is looked up. Codes are case-sensitive. */
export function codeHash(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
