import type { ModelConfigs } from './model-config.ts'
import { parseModelConfigs } from './model-configs.ts'

export const NO_OVERRIDES: ModelConfigs = new Map()

export function priceOverridesProblem(text: string): string | undefined {
  const parsed = parseModelConfigs(text)
  return 'problem' in parsed ? parsed.problem : undefined
}

/**
 * The option `PriceOverrides` as prices. `text` returns its current text, which is parsed once per change; between changes the same
 * map is returned. An invalid text, which only manual database changes can store, counts as empty and is reported.
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
    // After a reload of the options, an equal text is a different string object; keeping the new one makes later comparisons
    // instant.
    last = now
    return overrides
  }
}
