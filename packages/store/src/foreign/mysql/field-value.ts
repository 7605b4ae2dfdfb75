import type { FieldPacket } from 'mysql2'
import { textDecoder } from '../decode-text.ts'
import type { ForeignValue } from '../foreign-database.ts'
import { integerOf } from '../source-engine.ts'

/** Types of the protocol whose values are integers, reals, and bytes or texts. */
const INTEGERS: ReadonlySet<number> = new Set([1, 2, 3, 8, 9, 13])
const REALS: ReadonlySet<number> = new Set([4, 5])
const BIT = 16
const STRINGS: ReadonlySet<number> = new Set([15, 249, 250, 251, 252, 253, 254])
/** The character set of what is not a text. */
const BINARY = 63

const decode = textDecoder('UTF-8')

/** A value of the text protocol; a text that is not one stays bytes. */
export function valueOf(bytes: Buffer | null, field: FieldPacket | undefined): ForeignValue {
  if (bytes === null || bytes === undefined) return null
  const type = field?.columnType ?? field?.type ?? 0
  if (type === BIT) return new Uint8Array(bytes)
  if (STRINGS.has(type) && field?.characterSet === BINARY) return new Uint8Array(bytes)
  const text = decode(bytes)
  if (text === undefined) return new Uint8Array(bytes)
  if (INTEGERS.has(type) && /^-?[0-9]{1,20}$/.test(text)) return integerOf(text)
  return REALS.has(type) ? Number(text) : text
}
