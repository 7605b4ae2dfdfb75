import { isIP } from 'node:net'
import { databaseTarget } from '@sluice/store/database-target'
import { parseMasterKeys } from '@sluice/store/master-key'
import * as v from 'valibot'
import { readRetention, type Retention } from '../backup/retention.ts'
import { isAddressRange } from '../edge/address-range.ts'
import { basePathProblem } from '../edge/base-path.ts'

/** Parses the texts of environment variables; the operator sees each error message. */

export function integer(min: number, max: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  )
}

/** Seconds as text, milliseconds as value. */
export function seconds(min: number, max: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,9}(\.\d{1,3})?$/, 'must be a number of seconds'),
    v.transform(Number),
    v.minValue(min, `must be at least ${min} s`),
    v.maxValue(max, `must be at most ${max} s`),
    v.transform((value) => Math.round(value * 1_000)),
  )
}

export const choice = <const O extends readonly string[]>(options: O) =>
  v.picklist(options, `must be one of ${options.join(', ')}`)

const commaList = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
)

export const addressList = v.pipe(
  commaList,
  v.check((list) => list.every(isAddressRange), 'must be IP addresses or CIDR ranges separated by commas'),
)

export const originList = v.pipe(
  commaList,
  v.check(
    (list) => list.every(isSafeOrigin),
    'must be https:// addresses without a path, or http:// ones of this machine, separated by commas',
  ),
)

/** Compares the whole host: `http://localhost.example.com` belongs to somebody else. */
function isSafeOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.origin !== text) return false
  const { protocol, hostname } = url
  const isHere =
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  return protocol === 'https:' || (protocol === 'http:' && isHere)
}

export const basePath = v.pipe(
  v.string(),
  v.check(
    (text) => basePathProblem(text) === undefined,
    ({ input }) => basePathProblem(input) ?? '',
  ),
)

export const databaseUrl = v.pipe(
  v.string(),
  v.check(
    (text) => !('problem' in databaseTarget(text, '.')),
    'must start with postgres:// or sqlite:, or be left out to use a SQLite file',
  ),
)

export const valkeyUrl = v.pipe(
  v.string(),
  v.check(
    (text) => text === '' || (/^rediss?:\/\/[^/?#\s]+(\/\d*)?$/.test(text) && URL.canParse(text) && canDecode(text)),
    'must look like redis://:password@host:6379/0, or rediss:// for TLS',
  ),
)

export const masterKeys = v.pipe(
  v.string(),
  v.check(
    (text) => text === '' || !('problem' in parseMasterKeys(text)),
    'must be 32 bytes as 64 hex digits or base64; separate several with commas',
  ),
)

export const retention = v.pipe(
  v.string(),
  v.transform((text) => readRetention(text)),
  v.custom<Retention>(
    (read) => read !== undefined,
    'must be numbers of days, weeks and months such as 7d 4w 6m, or all',
  ),
)

/** `name=value` pairs, as OpenTelemetry writes headers: separated by commas, values percent-encoded where they must be. */
export const headerPairs = v.pipe(
  v.string(),
  v.regex(
    /^$|^[\w-]+=(?:[!#$&'()*+./:;=?@~\w-]|%[0-9a-f]{2})+(?:,[\w-]+=(?:[!#$&'()*+./:;=?@~\w-]|%[0-9a-f]{2})+)*$/i,
    'must be name=value pairs, separated by commas',
  ),
  v.check((text) => canDecode(text), 'must be percent-encoded UTF-8'),
  v.transform((text): Readonly<Record<string, string>> => {
    const pairs = text === '' ? [] : text.split(',')
    return Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at).toLowerCase(), decodeURIComponent(pair.slice(at + 1))]
      }),
    )
  }),
)

/** Whether the text is valid percent-encoding, without control characters. */
function canDecode(text: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(text))
  } catch {
    return false
  }
}

export interface Variable<S extends v.GenericSchema<string, unknown> = v.GenericSchema<string, unknown>> {
  readonly name: string
  /** Parses the text; the operator sees its issues unchanged. */
  readonly schema: S
  /** Text for an absent variable; parsed by the same schema. */
  readonly fallback: string
  /** The reason for an operator to change it. */
  readonly reason: string
  readonly example: string
  /** True if the value must never be printed. */
  readonly secret?: true
}

/** Keeps the literal types of the table while checking each row. */
export const variable = <S extends v.GenericSchema<string, unknown>>(row: Variable<S>): Variable<S> => row
