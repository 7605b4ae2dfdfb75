import { charge, type Price, type TokenCounts } from '@sluice/ledger/pricing'
import type { Mq } from '@sluice/ledger/units'
import type { Random } from '../../tools/demo/random.ts'

/** Who uses what, determined by the seed of `random`. Ids are positions plus one. */
export interface Population {
  readonly users: readonly PastUser[]
  readonly tokens: readonly PastToken[]
  readonly models: readonly PastModel[]
  readonly channels: readonly string[]
  /** The position of a user: a few send many requests, most send few. */
  readonly drawUser: () => number
}

export interface PastUser {
  readonly username: string
  /** Positions of the user's tokens; the first is used most. */
  readonly tokens: readonly number[]
}

export interface PastToken {
  readonly userAt: number
  readonly name: string
  /** Position of a model for this token: each token uses a handful, one of them most. */
  readonly drawModel: () => number
}

export interface PastModel {
  readonly name: string
  readonly price: Price
  readonly channels: readonly number[]
  readonly cost: (tokens: TokenCounts) => Mq
}

const USERS = 2_000
const CHANNELS = 40
const MODELS = 60
const MODELS_PER_TOKEN = 6
const FAMILIES = ['gpt', 'claude', 'gemini', 'llama', 'qwen', 'mistral', 'deepseek', 'grok', 'command', 'phi']
const TOKEN_NAMES = ['default', 'production', 'ci', 'laptop', 'notebook', 'support-bot']

export function makePopulation(random: Random): Population {
  const models = Array.from({ length: MODELS }, (_, at) => makeModel(at, random))
  const drawAnyModel = drawByRank(MODELS, 0.9, random)
  const users: PastUser[] = []
  const tokens: PastToken[] = []
  for (let userAt = 0; userAt < USERS; userAt++) {
    const mine: number[] = []
    const count = 1 + random.below(4)
    for (let at = 0; at < count; at++) {
      const favourites = Array.from({ length: MODELS_PER_TOKEN }, drawAnyModel)
      const drawFavourite = drawByRank(MODELS_PER_TOKEN, 2, random)
      const drawModel = (): number => favourites[drawFavourite()] ?? 0
      mine.push(tokens.length)
      tokens.push({ userAt, name: tokenName(userAt, at), drawModel })
    }
    users.push({ username: userAt === 0 ? 'root' : `user-${userAt}`, tokens: mine })
  }
  const channels = Array.from({ length: CHANNELS }, (_, at) => `channel ${at + 1}`)
  return { users, tokens, models, channels, drawUser: drawByRank(USERS, 1, random) }
}

function tokenName(userAt: number, at: number): string {
  return userAt % 3 === 0 && at > 0 ? `app-${userAt}-${at}` : (TOKEN_NAMES[(userAt + at) % 6] ?? 'default')
}

function makeModel(at: number, random: Random): PastModel {
  const input = BigInt(1 + random.below(50)) * 50_000_000n
  const rates = { input, cachedInput: input / 10n, cacheWrite5m: 0n, cacheWrite1h: 0n, output: input * 4n }
  const price = { rates, groupRatio: 1_000_000n, source: `channel:${at + 1}` }
  const channels = Array.from({ length: 1 + random.below(3) }, () => random.below(CHANNELS))
  return {
    name: `${FAMILIES[at % FAMILIES.length]}-${1 + Math.floor(at / FAMILIES.length)}`,
    price,
    channels,
    cost: (tokens) => charge(tokens, price),
  }
}

const DRAW_STEPS = 65_536

/** Draws positions 0 … count − 1; position n is drawn in proportion to 1 / (n + 1)^skew. */
function drawByRank(count: number, skew: number, random: Random): () => number {
  const weights = Array.from({ length: count }, (_, at) => (at + 1) ** -skew)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const table = new Uint16Array(count < 10 ? 1_024 : DRAW_STEPS)
  let position = 0
  let reached = (weights[0] ?? 0) / total
  for (let step = 0; step < table.length; step++) {
    while ((step + 0.5) / table.length > reached && position < count - 1) {
      position += 1
      reached += (weights[position] ?? 0) / total
    }
    table[step] = position
  }
  return () => table[random.below(table.length)] ?? 0
}
