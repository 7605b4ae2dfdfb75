import { isObject, type JsonObject } from './channel-fields/json-object.ts'
import { decimal } from './prices/decimal.ts'

export interface Balance {
  /** Millionths of the currency; can be negative. */
  readonly micros: number
  /** `points` if the vendor has a unit of its own. */
  readonly currency: 'USD' | 'CNY' | 'points'
}

/** One GET of a balance check; the reply's JSON leads to the next one or to the result. */
export interface BalanceStep {
  readonly url: string
  /** Sent only to the origin of `url`. */
  readonly secretHeaders: Readonly<Record<string, string>>
  readonly read: (reply: unknown) => BalanceOutcome
}

export type BalanceOutcome =
  | BalanceStep
  | Balance
  /** The reply is not as the vendor documents it, or reports an error. */
  | { readonly unread: string }

interface Account {
  /** The channel's address or the vendor's, without a trailing slash or version. */
  readonly base: string
  readonly key: string
  readonly now: number
}
export type BalanceSource = (account: Account) => BalanceStep

const PREPAID_DAYS = 100
const DAY_MS = 86_400_000

export const singleBalance =
  (path: string, currency: Balance['currency'], pick: (reply: JsonObject) => unknown): BalanceSource =>
  ({ base, key }) => ({
    url: `${base}${path}`,
    secretHeaders: { authorization: `Bearer ${key}` },
    read: (reply) => balanceOf(micros(pick(objectOf(reply))), currency),
  })

/** OpenAI's old billing calls, which resellers and this gateway still offer: the limit minus the usage in the period. */
export const openAiBilling: BalanceSource = ({ base, key, now }) => {
  const secretHeaders = { authorization: `Bearer ${key}` }
  return {
    url: `${base}/v1/dashboard/billing/subscription`,
    secretHeaders,
    read: (subscription) => {
      const { hard_limit_usd: limit, has_payment_method: paysLater } = objectOf(subscription)
      const granted = micros(limit)
      if (granted === undefined) return UNREAD
      const today = new Date(now)
      const first = paysLater === true ? today.getUTCDate() - 1 : PREPAID_DAYS
      const [start, end] = [dayText(now - first * DAY_MS), dayText(now + DAY_MS)]
      return {
        url: `${base}/v1/dashboard/billing/usage?start_date=${start}&end_date=${end}`,
        secretHeaders,
        // Hundredths of a dollar.
        read: (usage) => {
          const used = micros(objectOf(usage)['total_usage'])
          return balanceOf(used === undefined ? undefined : granted - used / 100n, 'USD')
        },
      }
    },
  }
}

export const UNREAD = { unread: 'its answer contains no balance' } as const

export function balanceOf(amount: bigint | undefined, currency: Balance['currency']): BalanceOutcome {
  const isNumber = amount !== undefined && amount >= -MOST && amount <= MOST
  return isNumber ? { micros: Number(amount), currency } : UNREAD
}

/** Larger numbers are not exact. */
const MOST = BigInt(Number.MAX_SAFE_INTEGER)

export function difference(whole: unknown, part: unknown): bigint | undefined {
  const [a, b] = [micros(whole), micros(part)]
  return a === undefined || b === undefined ? undefined : a - b
}

/** Millionths of a number or decimal text, further digits cut off; returns results of `difference` unchanged. */
export function micros(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const isNegative = text.startsWith('-')
  const parsed = decimal(isNegative ? text.slice(1) : text)
  if (parsed === undefined) return undefined
  const amount = (parsed.digits * 1_000_000n) / 10n ** BigInt(parsed.scale)
  return isNegative ? -amount : amount
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)
