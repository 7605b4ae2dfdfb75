import { type BodyRefusal, invalidField } from './body-refusal.ts'

/**
 * Service tiers at or below the list price. No price here covers more expensive ones (OpenAI's and Google's `priority`, Groq's
 * `performance`, Anthropic's `speed: fast`), so a call's true cost could not be charged. Unlisted tiers are refused, because tiers
 * that vendors add later may be expensive.
 */
const CHEAP: ReadonlySet<string> = new Set([
  'auto',
  'default',
  'standard',
  'standard_only',
  'flex',
  'scale',
  'on_demand',
  'batch',
  'unspecified',
  '',
])

/** Refuses every other tier. Google also accepts the long names of its values. */
export function refuseDearTier(field: string, value: unknown): BodyRefusal | undefined {
  if (value === null) return undefined
  if (typeof value !== 'string') return invalidField(field, 'must be a string')
  const tier = value.toLowerCase().replace(/^service_tier_/, '')
  if (CHEAP.has(tier)) return undefined
  return invalidField(
    field,
    `must not be ${JSON.stringify(value.slice(0, SHOWN))}: it may cost more, and this gateway has no price for it`,
  )
}

const SHOWN = 40
