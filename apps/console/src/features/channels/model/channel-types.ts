import type { Channel } from '@sluice/contract/channel'
import { CHANNEL_KINDS } from '@sluice/contract/channel-kinds'
import { kindOf } from './channel-kind.ts'

/** Name of a type; `#99` for a code that the specification does not know. */
export function channelTypeName(type: number): string {
  return kindOf(type).name
}

/** Every type as a choice, by name, so that typing the first letters finds it. */
export const CHANNEL_TYPE_OPTIONS: ReadonlyArray<{ readonly value: string; readonly label: string }> =
  CHANNEL_KINDS.map(({ code, name }) => ({ value: String(code), label: name })).toSorted((a, b) =>
    a.label.localeCompare(b.label, 'en', { sensitivity: 'base' }),
  )

/** Models that a channel can be tested with: those that the gateway names, otherwise all of its models. */
export function testableModels({ test_models, models }: Pick<Channel, 'test_models' | 'models'>): readonly string[] {
  return test_models ?? splitNames(models)
}

/** The names in a comma-separated text, in order and without duplicates. */
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
