import { useState } from 'react'
import type { Parameters } from '~/features/playground/model/parameters.ts'
import {
  isApplied,
  type Preset,
  presetList,
  presetOf,
  withoutPreset,
  withPreset,
  withRenamed,
} from '~/features/playground/model/presets.ts'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import type { ModelChoice } from './use-model-choice.ts'

export interface Presets {
  readonly list: readonly Preset[]
  /** The preset that was applied last, or that happens to match the current settings. */
  readonly current: Preset | undefined
  /** Whether the settings have changed since `current` was applied. */
  readonly changed: boolean
  readonly apply: (preset: Preset) => void
  readonly save: (name: string) => void
  readonly rename: (old: string, name: string) => void
  readonly remove: (name: string) => void
  readonly restore: (preset: Preset) => void
}

interface PresetParts {
  readonly models: ModelChoice
  readonly parameters: Parameters
  readonly change: (change: Partial<Parameters>) => void
}

const record = () => storedRecord(browserStorage(), PLAYGROUND_KEYS.presets, presetList)

/** Presets of this browser. They contain prompts, so they are removed with the session like everything else here. */
export function usePresets({ models, parameters, change }: PresetParts): Presets {
  const [list, setList] = useState<readonly Preset[]>(() => record().read() ?? [])
  const [applied, setApplied] = useState('')
  const model = models.models[0] ?? ''
  const equal = list.find((preset) => isApplied(preset, model, parameters))
  const current = list.find(({ name }) => name === applied) ?? equal
  // Other tabs may have saved presets in the meantime.
  const alter = (change: (kept: readonly Preset[]) => readonly Preset[]) => {
    const next = change(record().read() ?? list)
    record().write([...next])
    setList(next)
  }
  return {
    list,
    current,
    changed: current !== undefined && !isApplied(current, model, parameters),
    apply(preset) {
      setApplied(preset.name)
      if (preset.model !== '') models.choose(0, preset.model)
      change(preset.parameters)
    },
    save(name) {
      alter((kept) => withPreset(kept, presetOf(name, model, parameters)))
      setApplied(name)
    },
    rename(old, name) {
      alter((kept) => withRenamed(kept, old, name))
      setApplied(name)
    },
    remove: (name) => alter((kept) => withoutPreset(kept, name)),
    restore: (preset) => alter((kept) => withPreset(kept, preset)),
  }
}
