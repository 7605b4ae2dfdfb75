import { type RequestedTool, toolName } from '@sluice/dialects/requested-tools'
import { decimalOfNumber, scaledUp } from '../prices/decimal.ts'
import { isObject, type JsonObject } from './json-object.ts'

const TOOLS_MAX = 200
const NAME_MAX = 100
/** A million currency units, or the same in quota, for one tool call. */
const PRICE_MAX = { usd_per_call: 1_000_000, quota_per_call: 500_000_000_000 } as const

/** Settings for tools that a channel's provider runs, prepared for look-ups. Names as `toolName` returns them. */
export interface Tooling {
  /** Undefined allows every tool. */
  readonly allowed: ReadonlySet<string> | undefined
  /** Price per call in 10^-9 quota. */
  readonly prices: ReadonlyMap<string, bigint>
}

const NANO_POWER = 9
const QUOTA_PER_DOLLAR = 500_000n

/** Undefined without settings: then nothing needs checking. An empty whitelist allows everything. */
export function readTooling(value: unknown): Tooling | undefined {
  if (!isObject(value) || toolingProblem(value) !== undefined) return undefined
  const { whitelist = [], pricing = {} } = value as {
    readonly whitelist?: readonly string[]
    readonly pricing?: JsonObject
  }
  const prices = Object.entries(pricing).map(([tool, price]) => [toolName(tool), priceOf(price as JsonObject)] as const)
  if (whitelist.length === 0 && prices.length === 0) return undefined
  return { allowed: whitelist.length === 0 ? undefined : new Set(whitelist.map(toolName)), prices: new Map(prices) }
}

function priceOf({ usd_per_call: usd, quota_per_call: quota }: JsonObject): bigint {
  const price = decimalOfNumber(Number(usd ?? quota))
  if (price === undefined) return 0n
  return usd === undefined
    ? scaledUp(price, NANO_POWER)
    : scaledUp({ ...price, digits: price.digits * QUOTA_PER_DOLLAR }, NANO_POWER)
}

export function barredTool({ allowed }: Tooling, tools: readonly RequestedTool[]): RequestedTool | undefined {
  return allowed && tools.find(({ name }) => !allowed.has(name))
}

/**
 * What is wrong with a channel's settings for built-in tools: the allowed ones (`whitelist`) and the price of a call (`pricing`:
 * tool → `usd_per_call` or `quota_per_call`).
 */
export function toolingProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be a JSON object'
  const unknown = Object.keys(value).find((name) => name !== 'whitelist' && name !== 'pricing')
  if (unknown !== undefined)
    return `"${unknown.slice(0, NAME_MAX)}" is not a field; the fields are whitelist and pricing`
  const { whitelist = [], pricing = {} } = value
  if (!Array.isArray(whitelist) || whitelist.length > TOOLS_MAX || !whitelist.every(isName)) {
    return `whitelist must be a list of at most ${TOOLS_MAX} tool names`
  }
  if (!isObject(pricing) || Object.keys(pricing).length > TOOLS_MAX) {
    return `pricing must be a JSON object of at most ${TOOLS_MAX} tools`
  }
  return Object.entries(pricing)
    .map(([tool, price]) => priceProblem(tool, price))
    .find((rule) => rule !== undefined)
}

function priceProblem(tool: string, price: unknown): string | undefined {
  const name = tool.slice(0, NAME_MAX)
  if (!isName(tool)) return 'pricing: a tool name cannot be empty or longer than 100 characters'
  if (!isObject(price)) return `pricing of "${name}" must be a JSON object`
  const given = Object.keys(price)
  const [unit] = given
  if (given.length !== 1 || (unit !== 'usd_per_call' && unit !== 'quota_per_call')) {
    return `pricing of "${name}" needs either usd_per_call or quota_per_call`
  }
  return isPrice(price, unit)
    ? undefined
    : `pricing of "${name}": ${unit} must be a number from 0 to ${PRICE_MAX[unit]}`
}

function isPrice(price: JsonObject, unit: keyof typeof PRICE_MAX): boolean {
  const amount = price[unit]
  if (typeof amount !== 'number' || !(amount >= 0) || amount > PRICE_MAX[unit]) return false
  return unit === 'usd_per_call' || Number.isInteger(amount)
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= NAME_MAX
}
