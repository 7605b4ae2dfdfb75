import type { Channel } from '@sluice/contract/channel'

/** Models that a channel can be tested with: those that the gateway names, otherwise all that it has. */
export function testableModels({ test_models, models }: Pick<Channel, 'test_models' | 'models'>): readonly string[] {
  return test_models ?? splitNames(models)
}

/** The names of a comma-separated text, each once, in their order. */
export function splitNames(text: string): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ]
}
