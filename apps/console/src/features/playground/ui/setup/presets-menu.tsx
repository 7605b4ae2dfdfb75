import { useState } from 'react'
import { type Preset, PRESET_NAME_MAX } from '~/features/playground/model/presets.ts'
import { setupTexts } from '~/features/playground/texts/setup/setup-texts.ts'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { Menu, MenuGroup, MenuItem } from '~/ui/menu.tsx'
import { NameDialog } from '~/ui/name-dialog.tsx'
import { CheckIcon, ChevronDownIcon } from '~/ui/sign-icons.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useSetupControls } from './setup-controls.ts'

/** Presets: apply one, save the current settings, change or delete the one in force. */
export function PresetsMenu() {
  const t = useTexts(setupTexts)
  const toasts = useToasts()
  const { presets } = useSetupControls()
  const { list, current, changed } = presets
  const [asking, setAsking] = useState<'save' | 'rename'>()
  useCommand({ id: 'playground.preset', label: t.savePreset, group: t.group, run: () => setAsking('save') })
  const save = (name: string) => {
    if (asking === 'rename' && current !== undefined) presets.rename(current.name, name)
    else presets.save(name)
    setAsking(undefined)
    toasts.show({ tone: 'good', title: t.presetSaved(name) })
  }
  const remove = (preset: Preset) => {
    presets.remove(preset.name)
    const action = { label: t.undo, run: () => presets.restore(preset) }
    toasts.show({ tone: 'info', title: t.presetDeleted(preset.name), action })
  }
  return (
    <>
      <Menu
        label={t.presets}
        align="start"
        trigger={(trigger) => (
          <Button {...trigger} grow>
            <span className="min-w-0 grow truncate text-start">
              {current === undefined ? t.presets : changed ? t.presetChanged(current.name) : current.name}
            </span>
            <ChevronDownIcon />
          </Button>
        )}
      >
        {list.length === 0 && <p className="text-muted max-w-56 px-2.5 py-1.5 text-sm">{t.noPresets}</p>}
        {list.map((preset) => (
          <MenuItem key={preset.name} checked={preset === current} onSelect={() => presets.apply(preset)}>
            <span className="min-w-0 grow truncate">{preset.name}</span>
            {preset === current && <CheckIcon />}
          </MenuItem>
        ))}
        <MenuGroup label={t.thisSetup}>
          {current !== undefined && changed && (
            <MenuItem onSelect={() => presets.save(current.name)}>{t.saveChanges(current.name)}</MenuItem>
          )}
          <MenuItem onSelect={() => setAsking('save')}>{t.savePreset}</MenuItem>
          {current !== undefined && (
            <>
              <MenuItem onSelect={() => setAsking('rename')}>{t.renamePreset(current.name)}</MenuItem>
              <MenuItem danger onSelect={() => remove(current)}>
                {t.deletePreset(current.name)}
              </MenuItem>
            </>
          )}
        </MenuGroup>
      </Menu>
      {list.map((preset) => (
        <PresetCommand key={preset.name} preset={preset} onApply={presets.apply} />
      ))}
      {asking !== undefined && (
        <NameDialog
          title={asking === 'save' ? t.savePresetTitle : t.renamePresetTitle}
          text={t.presetText}
          label={t.presetName}
          save={t.save}
          required={t.presetNameRequired}
          replaces={t.presetReplaces}
          maxLength={PRESET_NAME_MAX}
          initial={asking === 'rename' ? (current?.name ?? '') : ''}
          taken={list.map(({ name }) => name)}
          onSave={save}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}

/** The same from the command palette. */
function PresetCommand({ preset, onApply }: { preset: Preset; onApply: (preset: Preset) => void }) {
  const t = useTexts(setupTexts)
  const label = t.applyPreset(preset.name)
  useCommand({ id: `playground.preset.${preset.name}`, label, group: t.group, run: () => onApply(preset) })
  return null
}
