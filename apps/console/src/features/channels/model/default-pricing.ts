import { parseObject } from './channel-key.ts'

/** Prices from a type's default configs, one model per line; of all models when none is given. Empty when none is known. */
export function pricingOf(models: readonly string[], defaults: string): string {
  const known = Object.entries(parseObject(defaults) ?? {})
  const wanted = models.length === 0 ? known : known.filter(([model]) => models.includes(model))
  if (wanted.length === 0) return ''
  return `{\n${wanted.map(([model, config]) => `  ${JSON.stringify(model)}: ${spaced(config)}`).join(',\n')}\n}`
}

/** JSON on one line, with the usual spaces. */
function spaced(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replace(/\n\s*/g, ' ')
}
