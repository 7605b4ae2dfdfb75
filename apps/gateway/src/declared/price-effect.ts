import type { PriceEffect } from '@sluice/contract/configuration/plan'
import { charge, type TokenCounts } from '@sluice/ledger/pricing'
import { idAt } from '@sluice/ledger/proof/invariants/scope'
import { decodeCounts } from '@sluice/ledger/unit-class'
import { mq, quotaText } from '@sluice/ledger/units'
import type { ModelConfigs } from '@sluice/providers/prices/model-config'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import { NO_OVERRIDES } from '@sluice/providers/prices/price-overrides'
import { pricedUsage, type Quote } from '@sluice/providers/prices/quote'
import { type ModelPrice, modelPrice, quoteAt, unpricedQuote } from '@sluice/providers/prices/rates'
import type { Options } from '@sluice/store/options/options'
import { mayUse, ratioFor } from '@sluice/store/options/usable-groups'
import { listRecentCharges, type RecentCharge } from '@sluice/store/queries/ledger/recent-charges'
import type { Schema } from '@sluice/store/schema/schema'
import type { Kysely } from 'kysely'
import { canonicalJson } from './document/option-values.ts'

export interface PricedState {
  readonly options: Pick<Options, 'PriceOverrides' | 'Groups' | 'UnpricedModelPolicy' | 'UnpricedModelRatio'>
  /** By id. */
  readonly channels: ReadonlyMap<number, { readonly type: number; readonly modelConfigs: string | null }>
}

export interface PriceEffectLimits {
  /** Unix milliseconds. */
  readonly now: number
  /** Milliseconds of a monotonic clock. */
  readonly steady: () => number
}

const SPAN_MS = 7 * 86_400_000
/** Reading stops at whichever comes first. */
const CHARGES_MAX = 200_000
const TIME_MAX_MS = 5_000
const PAGE = 1_000
const USERS_MAX = 20
const MODELS_MAX = 100

interface Sums {
  before: bigint
  after: bigint
}

/**
 * The cost of the last seven days' usage at the old and the new prices. A charge's group is the one that explains its ratio. Leaves
 * out removed channels, because others will serve instead.
 */
export async function priceEffectOf(
  db: Kysely<Schema>,
  before: PricedState,
  after: PricedState,
  { now, steady }: PriceEffectLimits,
): Promise<PriceEffect> {
  const from = now - SPAN_MS
  const users = new Map<number, Sums & { username: string }>()
  const models = new Map<string, Sums>()
  const total: Sums = { before: 0n, after: 0n }
  let charges = 0
  let read = 0
  let oldest = now
  let complete = true
  if (haveSamePrices(before, after)) return effectOf({ since: from, charges, complete, total, users, models })
  const [old, next] = [pricesOf(before), pricesOf(after)]
  const end = steady() + TIME_MAX_MS
  let cursor = idAt(now + SPAN_MS)
  for (;;) {
    const page = await listRecentCharges(db, { from: idAt(from), before: cursor, since: from }, PAGE)
    for (const row of page) {
      const amounts = amountsOf(row, { old, next, before, after })
      oldest = Math.min(oldest, row.at)
      if (amounts === undefined || amounts.before === amounts.after) continue
      charges += 1
      const user = users.get(row.userId) ?? { before: 0n, after: 0n, username: row.username }
      const model = models.get(row.model) ?? { before: 0n, after: 0n }
      for (const sums of [total, user, model]) {
        sums.before += amounts.before
        sums.after += amounts.after
      }
      users.set(row.userId, user)
      models.set(row.model, model)
    }
    read += page.length
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    cursor = last.requestId
    if (read >= CHARGES_MAX || steady() >= end) {
      complete = false
      break
    }
  }
  return effectOf({ since: complete ? from : oldest, charges, complete, total, users, models })
}

function effectOf({
  since,
  charges,
  complete,
  total,
  users,
  models,
}: Pick<PriceEffect, 'since' | 'charges' | 'complete'> & {
  readonly total: Sums
  readonly users: ReadonlyMap<number, Sums & { readonly username: string }>
  readonly models: ReadonlyMap<string, Sums>
}): PriceEffect {
  const onWire = ({ before, after }: Sums) => ({ before: quotaText(mq(before)), after: quotaText(mq(after)) })
  return {
    since: Math.floor(since / 1_000),
    charges,
    complete,
    ...onWire(total),
    users: [...users]
      .toSorted(([, a], [, b]) => byDifference(a, b))
      .slice(0, USERS_MAX)
      .map(([id, { username, ...sums }]) => ({ id, username, ...onWire(sums) })),
    models: [...models]
      .toSorted(([, a], [, b]) => byDifference(a, b))
      .slice(0, MODELS_MAX)
      .map(([model, sums]) => ({ model, ...onWire(sums) })),
  }
}

function byDifference(a: Sums, b: Sums): number {
  const [left, right] = [differenceOf(a), differenceOf(b)]
  return left > right ? -1 : Number(left < right)
}

function differenceOf({ before, after }: Sums): bigint {
  return after > before ? after - before : before - after
}

/** If the prices are written identically, charges need not be read. */
function haveSamePrices(before: PricedState, after: PricedState): boolean {
  const sameOverrides = canonicalJson(before.options.PriceOverrides) === canonicalJson(after.options.PriceOverrides)
  const sameRatios = ratiosOf(before) === ratiosOf(after)
  const samePolicy =
    before.options.UnpricedModelPolicy === after.options.UnpricedModelPolicy &&
    before.options.UnpricedModelRatio === after.options.UnpricedModelRatio
  const sameChannels = [...after.channels].every(([id, { type, modelConfigs }]) => {
    const old = before.channels.get(id)
    return (
      old === undefined ||
      (old.type === type && canonicalJson(old.modelConfigs ?? '') === canonicalJson(modelConfigs ?? ''))
    )
  })
  return sameOverrides && sameRatios && samePolicy && sameChannels
}

function ratiosOf({ options: { Groups: groups } }: PricedState): string {
  const ratios = [...groups.byName].map(([name, { ratio, ratioFor: others }]) => [
    name,
    String(ratio),
    [...others].map(([group, each]) => `${group} ${each}`).sort(),
  ])
  return JSON.stringify(ratios.toSorted(([a], [b]) => String(a).localeCompare(String(b), 'en')))
}

/** Price by channel and model; undefined where the model cannot be called. */
type Prices = (channelId: number, model: string, at: number) => Quote | undefined

function pricesOf({ options, channels }: PricedState): Prices {
  const overrides = configsOf(options.PriceOverrides)
  const configs = new Map<number, ModelConfigs>()
  const prices = new Map<string, ModelPrice | 'missing'>()
  return (channelId, model, at) => {
    const channel = channels.get(channelId)
    if (channel === undefined) return undefined
    const own = configs.get(channelId) ?? configsOf(channel.modelConfigs)
    configs.set(channelId, own)
    const key = `${channelId} ${model}`
    const price = prices.get(key) ?? modelPrice(channel.type, model, own, overrides)
    prices.set(key, price)
    if (price !== 'missing') return quoteAt(price, at)
    const quote = unpricedQuote(channel.type, options.UnpricedModelPolicy, options.UnpricedModelRatio)
    return quote === 'missing' ? undefined : quote
  }
}

function configsOf(text: string | null): ModelConfigs {
  const parsed = parseModelConfigs(text)
  return 'problem' in parsed ? NO_OVERRIDES : parsed
}

interface Sides {
  readonly old: Prices
  readonly next: Prices
  readonly before: PricedState
  readonly after: PricedState
}

/** Amounts in mq; undefined where one side has no price. */
function amountsOf(row: RecentCharge, { old, next, before, after }: Sides): Sums | undefined {
  const [first, second] = [old(row.channelId, row.model, row.at), next(row.channelId, row.model, row.at)]
  if (first === undefined || second === undefined) return undefined
  const ratio = ratioAfter(row, before, after)
  return { before: amountOf(row, first, row.groupRatio), after: amountOf(row, second, ratio) }
}

function amountOf(row: RecentCharge, quote: Quote, groupRatio: bigint): bigint {
  const { reported_nano_usd: reported, ...recorded } = decodeCounts(row.units) ?? {}
  // A price per call counts calls, which a charge by tokens has not recorded.
  const units =
    quote.rates.units?.call === undefined || recorded.call !== undefined ? recorded : { ...recorded, call: 1 }
  const usage: TokenCounts = {
    input: row.input,
    cachedInput: row.cachedInput,
    cacheWrite5m: row.cacheWrite5m,
    cacheWrite1h: row.cacheWrite1h,
    output: row.output,
    reasoning: 0,
    ...(Object.keys(units).length === 0 ? {} : { units }),
  }
  const { counts, rates, source } = pricedUsage(quote, usage, reported)
  return charge({ ...counts, reasoning: 0 }, { rates, groupRatio, source })
}

/** The ratio of a charge's group: the user's own group if it explains the ratio, otherwise the only group that does. */
function ratioAfter({ userGroup, groupRatio }: RecentCharge, before: PricedState, after: PricedState): bigint {
  const groups = before.options.Groups
  const explains = (name: string): boolean => ratioFor(groups, userGroup, name) === groupRatio
  const others = [...groups.byName.keys()].filter((name) => mayUse(groups, userGroup, name) && explains(name))
  const group = explains(userGroup) ? userGroup : others.length === 1 ? others[0] : undefined
  if (group === undefined || !after.options.Groups.byName.has(group)) return groupRatio
  return ratioFor(after.options.Groups, userGroup, group)
}
