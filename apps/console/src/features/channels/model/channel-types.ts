import type { Channel } from '@sluice/contract/channel'
import { CHANNEL_KINDS } from '@sluice/contract/channel-kinds'
import { kindOf } from './channel-kind.ts'

/** `#99` for a code that the specification does not know. */
export function channelTypeName(type: number): string {
  return kindOf(type).name
}

/** Sorted by name, so that typing the first letters finds a type. */
export const CHANNEL_TYPE_OPTIONS: ReadonlyArray<{ readonly value: string; readonly label: string }> =
  CHANNEL_KINDS.map(({ code, name }) => ({ value: String(code), label: name })).toSorted((a, b) =>
    a.label.localeCompare(b.label, 'en', { sensitivity: 'base' }),
  )

/** The models that the gateway names, otherwise all models of the channel. */
export function testableModels({ test_models, models }: Pick<Channel, 'test_models' | 'models'>): readonly string[] {
  return test_models ?? splitNames(models)
}

/** Comma-separated names, in order and without duplicates. */
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
