import { type FieldProblem, problem } from './channel-fields/field-problem.ts'
import { isObject, type JsonObject } from './channel-fields/json-object.ts'
import { type ChannelKind, kindOf } from './kinds.ts'
import { decimal } from './prices/decimal.ts'

/** What is left of an account at a provider. */
export interface Balance {
  /** Millionths of the currency; may be negative. */
  readonly micros: number
  /** `points` where the vendor counts its own. */
  readonly currency: 'USD' | 'CNY' | 'points'
}

/** One GET of a look at a balance; the reply's JSON leads to the next one or to the result. */
export interface BalanceStep {
  readonly url: string
  /** For the origin of `url` alone. */
  readonly secretHeaders: Readonly<Record<string, string>>
  readonly read: (reply: unknown) => BalanceOutcome
}

export type BalanceOutcome =
  | BalanceStep
  | Balance
  /** The reply is not what the vendor documents, or says that something is wrong. */
  | { readonly unread: string }

/** What a vendor's row is given. */
interface Account {
  /** The channel's address or the vendor's, without trailing slash and version. */
  readonly base: string
  readonly key: string
  readonly now: number
}
type Source = (account: Account) => BalanceStep

/** Most requests that one look takes. */
export const BALANCE_STEPS_MAX = 3

/** Days that OpenAI's usage is asked for when the account pays in advance. */
const PREPAID_DAYS = 100
const DAY_MS = 86_400_000

const USD = 'USD'
const CNY = 'CNY'

/** One GET whose reply holds one number. */
const single =
  (path: string, currency: Balance['currency'], pick: (reply: JsonObject) => unknown): Source =>
  ({ base, key }) => ({
    url: `${base}${path}`,
    secretHeaders: { authorization: `Bearer ${key}` },
    read: (reply) => balanceOf(micros(pick(objectOf(reply))), currency),
  })

/** OpenAI's old billing calls, which resellers and this gateway itself still answer: limit minus usage of the period. */
const openAi: Source = ({ base, key, now }) => {
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
          return balanceOf(used === undefined ? undefined : granted - used / 100n, USD)
        },
      }
    },
  }
}

/** The only place this vendor takes the key is the address; its query stays out of our logs. */
const openAiSb: Source = ({ base, key }) => ({
  url: `${base}/sb-api/user/status?api_key=${encodeURIComponent(key)}`,
  secretHeaders: { authorization: `Bearer ${key}` },
  read: (reply) => balanceOf(micros(objectOf(objectOf(reply)['data'])['credit']), 'points'),
})

const aiProxy: Source = ({ base, key }) => ({
  url: `${base}/api/report/getUserOverview`,
  secretHeaders: { 'api-key': key },
  read: (reply) => {
    const { success, data } = objectOf(reply)
    return success === false ? UNREAD : balanceOf(micros(objectOf(data)['totalPoints']), 'points')
  },
})

const openRouter = single('/v1/credits', USD, ({ data }) => {
  const { total_credits: bought, total_usage: used } = objectOf(data)
  return difference(bought, used)
})

/** Accounts are kept in yuan or in dollars; both are listed, one is used. */
const deepSeek: Source = ({ base, key }) => ({
  url: `${base}/user/balance`,
  secretHeaders: { authorization: `Bearer ${key}` },
  read: (reply) => {
    const { balance_infos: infos } = objectOf(reply)
    const rows = Array.isArray(infos) ? infos.map(objectOf) : []
    const row = rows.find(({ currency }) => currency === CNY) ?? rows.find(({ currency }) => currency === USD)
    return balanceOf(micros(row?.['total_balance']), row?.['currency'] === USD ? USD : CNY)
  },
})

const SOURCES: Readonly<Record<number, Source>> = {
  1: openAi,
  4: single('/dashboard/billing/credit_grants', USD, (reply) => reply['total_available']),
  5: openAiSb,
  8: openAi,
  10: aiProxy,
  12: single('/dashboard/billing/credit_grants', USD, (reply) => reply['total_remaining']),
  13: single('/dashboard/billing/credit_grants', USD, (reply) => reply['total_available']),
  20: openRouter,
  36: deepSeek,
  44: single('/v1/user/info', CNY, ({ data }) => objectOf(data)['totalBalance']),
  50: openAi,
}

/** Where a vendor answers for balances elsewhere than for models. */
const OWN_BASES: Readonly<Record<number, string>> = { 10: 'https://aiproxy.io' }

/** Whether the balance of channels of this type can be asked for. */
export function hasBalance(code: number): boolean {
  return SOURCES[code] !== undefined
}

/** The first request of a look at a channel's balance. `now` in unix ms. */
export function balanceStep(
  code: number,
  { baseUrl, key, now }: { readonly baseUrl: string; readonly key: string; readonly now: number },
): BalanceStep | FieldProblem {
  const kind = kindOf(code)
  const source = SOURCES[code]
  if (kind === undefined || source === undefined) {
    return problem('type', `channels of type ${kind?.name ?? code} have no balance that can be asked for`)
  }
  const base = baseOf(kind, baseUrl)
  return base === '' ? problem('base_url', 'Base URL is required for this channel type') : source({ base, key, now })
}

function baseOf(kind: ChannelKind, baseUrl: string): string {
  const given = baseUrl.trim() || (OWN_BASES[kind.code] ?? kind.address.defaultBaseUrl)
  return given.replace(/(?:(?<!\/)\/v\d[a-z0-9]*)?(?<!\/)\/*$/, '')
}

const UNREAD = { unread: 'its answer holds no balance' } as const

function balanceOf(amount: bigint | undefined, currency: Balance['currency']): BalanceOutcome {
  const isNumber = amount !== undefined && amount >= -MOST && amount <= MOST
  return isNumber ? { micros: Number(amount), currency } : UNREAD
}

/** Beyond it a number would not be exact any more. */
const MOST = BigInt(Number.MAX_SAFE_INTEGER)

function difference(whole: unknown, part: unknown): bigint | undefined {
  const [a, b] = [micros(whole), micros(part)]
  return a === undefined || b === undefined ? undefined : a - b
}

/** Millionths of a number or of a decimal text, further digits cut off; a result of `difference` is left as it is. */
function micros(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const isNegative = text.startsWith('-')
  const parsed = decimal(isNegative ? text.slice(1) : text)
  if (parsed === undefined) return undefined
  const amount = (parsed.digits * 1_000_000n) / 10n ** BigInt(parsed.scale)
  return isNegative ? -amount : amount
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)
