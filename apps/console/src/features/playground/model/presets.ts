import * as v from 'valibot'
import { type Parameters, savedParameters } from './parameters.ts'

/** Number of presets stored per user; a new one then replaces the oldest. */
export const PRESETS_MAX = 50
export const PRESET_NAME_MAX = 40

const preset = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(PRESET_NAME_MAX)),
  /** '' leaves the model as it is. */
  model: v.string(),
  parameters: v.omit(savedParameters, ['focusModeEnabled']),
})
export type Preset = v.InferOutput<typeof preset>
export const presetList = v.pipe(v.array(preset), v.maxLength(PRESETS_MAX))

/** Leaves out the arrangement of the screen. */
export function presetOf(
  name: string,
  model: string,
  { focusModeEnabled: _arrangement, ...parameters }: Parameters,
): Preset {
  return { name, model, parameters }
}

/** Replaces a preset of the same name in place. */
export function withPreset(presets: readonly Preset[], saved: Preset): readonly Preset[] {
  if (presets.some(({ name }) => name === saved.name)) {
    return presets.map((each) => (each.name === saved.name ? saved : each))
  }
  return [...presets, saved].slice(-PRESETS_MAX)
}

export function withoutPreset(presets: readonly Preset[], name: string): readonly Preset[] {
  return presets.filter((each) => each.name !== name)
}

/** Replaces a preset that had the new name. */
export function withRenamed(presets: readonly Preset[], old: string, name: string): readonly Preset[] {
  if (name === old) return presets
  return withoutPreset(presets, name).map((each) => (each.name === old ? { ...each, name } : each))
}

export function isApplied({ model, parameters }: Preset, inForce: string, given: Parameters): boolean {
  if (model !== '' && model !== inForce) return false
  return Object.entries(parameters).every(([name, value]) => given[name as keyof Parameters] === value)
}
