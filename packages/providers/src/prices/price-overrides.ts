import type { ModelConfigs } from './model-config.ts'
import { parseModelConfigs } from './model-configs.ts'

export const NO_OVERRIDES: ModelConfigs = new Map()

/** What is wrong with a text of the option `PriceOverrides`; undefined when nothing is. */
export function priceOverridesProblem(text: string): string | undefined {
  const parsed = parseModelConfigs(text)
  return 'problem' in parsed ? parsed.problem : undefined
}

/**
 * The option `PriceOverrides` as prices. `text` is its present text, which is parsed once per change: until then the same map is
 * returned. A text with a problem, which only a change by hand can store, counts as empty and is reported.
 */
export function createPriceOverrides(text: () => string, onProblem: (problem: string) => void): () => ModelConfigs {
  let last = ''
  let overrides = NO_OVERRIDES
  return () => {
    const now = text()
    if (now !== last) {
      const parsed = parseModelConfigs(now)
      if ('problem' in parsed) onProblem(parsed.problem)
      overrides = 'problem' in parsed || parsed.size === 0 ? NO_OVERRIDES : parsed
    }
    // An equal text is another object after every reload of the options; the same one is compared in no time.
    last = now
    return overrides
  }
}
