import { type BodyRefusal, invalidField } from './body-refusal.ts'

/**
 * Service tiers at the list price or below it. More expensive ones are OpenAI's and Google's `priority`, Groq's `performance`,
 * Anthropic's `speed: fast`: no price here covers them, so a call's true cost could not be charged. Tiers that vendors add later
 * are not known to be cheap, so all unlisted ones are refused.
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

/** A refusal if the field selects any other tier. Google also accepts the long names of its values. */
export function refuseDearTier(field: string, value: unknown): BodyRefusal | undefined {
  if (value === null) return undefined
  if (typeof value !== 'string') return invalidField(field, 'must be a string')
  const tier = value.toLowerCase().replace(/^service_tier_/, '')
  if (CHEAP.has(tier)) return undefined
  return invalidField(
    field,
    `must not be ${JSON.stringify(value.slice(0, SHOWN))}: it may cost more and is not priced here`,
  )
}

const SHOWN = 40
