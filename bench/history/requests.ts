import type { TokenCounts } from '@sluice/ledger/pricing'
import type { Mq } from '@sluice/ledger/units'
import type { Random } from '../../tools/demo/random.ts'
import type { Population } from './population.ts'

/** A past request, by positions in the population. */
export interface PastRequest {
  /** Unix seconds. */
  readonly at: number
  readonly userAt: number
  readonly tokenAt: number
  readonly modelAt: number
  readonly channelAt: number
  readonly tokens: TokenCounts
  readonly amount: Mq
  readonly elapsedMs: number
  readonly isStream: boolean
}

export const DAY = 86_400

/** How many of `rows` requests fall on each of `days` days: three times as many at the end, half as many at weekends. */
export function rowsPerDay(rows: number, firstDay: number, days: number): readonly number[] {
  const weights = Array.from({ length: days }, (_, at) => {
    const weekday = (firstDay + at + 4) % 7
    return (1 + (2 * at) / days) * (weekday === 0 || weekday === 6 ? 0.5 : 1)
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => Math.round((rows * weight) / total))
}

/** Requests of one day before `end` (unix seconds), in chronological order: few at night, most in the afternoon. */
export function* requestsOfDay(
  population: Population,
  random: Random,
  { start, end, count }: { readonly start: number; readonly end: number; readonly count: number },
): Generator<PastRequest> {
  const times = Float64Array.from({ length: count }, () => start + timeOfDay(random) * DAY).sort()
  for (const time of times) {
    if (time < end) yield makeRequest(population, random, Math.floor(time))
  }
}

function timeOfDay(random: Random): number {
  return random.chance(0.4) ? random.unit() : 0.3 + 0.3 * (random.unit() + random.unit())
}

function makeRequest(population: Population, random: Random, at: number): PastRequest {
  const userAt = population.drawUser()
  const mine = population.users[userAt]?.tokens ?? []
  const tokenAt = mine[random.chance(0.6) ? 0 : random.below(mine.length)] ?? 0
  const modelAt = population.tokens[tokenAt]?.drawModel() ?? 0
  const model = population.models[modelAt]
  if (model === undefined) throw new RangeError(`no model at ${modelAt}`)
  const channelAt = model.channels[random.chance(0.85) ? 0 : random.below(model.channels.length)] ?? 0
  const prompt = 20 + Math.floor(4_000 * random.unit() ** 3 + 60_000 * random.unit() ** 40)
  const cachedInput = random.chance(0.3) ? Math.floor(prompt * 0.7) : 0
  const output = 1 + Math.floor(900 * random.unit() ** 2 + 8_000 * random.unit() ** 30)
  const tokens = { input: prompt - cachedInput, cachedInput, cacheWrite5m: 0, cacheWrite1h: 0, output, reasoning: 0 }
  return {
    at,
    userAt,
    tokenAt,
    modelAt,
    channelAt,
    tokens,
    amount: model.cost(tokens),
    elapsedMs: 200 + output * 8 + random.below(1_500),
    isStream: random.chance(0.7),
  }
}
