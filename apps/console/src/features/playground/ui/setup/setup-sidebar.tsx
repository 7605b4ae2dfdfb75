import { clsx } from 'clsx'
import { useState } from 'react'
import { DEFAULT_PARAMETERS } from '~/features/playground/model/parameters.ts'
import { type Preset, PRESET_NAME_MAX } from '~/features/playground/model/presets.ts'
import { setupTexts } from '~/features/playground/texts/setup-texts.ts'
import { useCommand } from '~/lib/commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton, Button } from '~/ui/button.tsx'
import { Field, MULTILINE } from '~/ui/field.tsx'
import { CheckIcon, ChevronDownIcon } from '~/ui/icon.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { Menu, MenuGroup, MenuItem } from '~/ui/menu.tsx'
import { NameDialog } from '~/ui/name-dialog.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useRestingText } from '~/ui/use-resting-text.ts'
import { AccessFields } from './access-fields.tsx'
import { ParameterFields, SwitchRow } from './parameter-fields.tsx'
import { useSetupControls } from './setup-controls.ts'

export function SetupSidebar() {
  const t = useTexts(setupTexts)
  const { parameters, change } = useSetupControls()
  return (
    <div className="flex flex-col gap-5 lg:p-4">
      <div className="flex items-center gap-1">
        <PresetsMenu />
        <Reset />
      </div>
      <AccessFields />
      <SystemMessageField />
      <section aria-label={t.parametersTitle} className="flex flex-col gap-2">
        <ParameterFields />
        <SwitchRow
          label={t.parameters.showReasoningContent}
          checked={parameters.showReasoningContent}
          onChange={(showReasoningContent) => change({ showReasoningContent })}
        />
      </section>
    </div>
  )
}

function Reset() {
  const t = useTexts(setupTexts)
  const toasts = useToasts()
  const { parameters, change } = useSetupControls()
  // A user who resets the settings does not want to reset the screen layout.
  const { focusModeEnabled } = parameters
  const reset = () => {
    change({ ...DEFAULT_PARAMETERS, focusModeEnabled })
    const action = { label: t.undo, run: () => change(parameters) }
    toasts.show({ tone: 'info', title: t.resetDone, action })
  }
  return (
    <IconButton label={t.reset} onClick={reset}>
      <RefreshIcon />
    </IconButton>
  )
}

/** Takes effect when typing pauses and when the user leaves the field. */
function SystemMessageField() {
  const t = useTexts(setupTexts)
  const { parameters, change } = useSetupControls()
  const { text, setText, settle } = useRestingText(
    parameters.systemMessage,
    (systemMessage) => change({ systemMessage }),
    asTyped,
  )
  const initial = DEFAULT_PARAMETERS.systemMessage
  return (
    <Field
      label={t.systemMessage}
      hint={t.systemMessageHint}
      aside={
        <span className="flex gap-1">
          {text !== initial && (
            <Button size="small" variant="ghost" onClick={() => settle(initial)}>
              {t.restoreDefault}
            </Button>
          )}
          {text !== '' && (
            <Button size="small" variant="ghost" onClick={() => settle('')}>
              {t.clear}
            </Button>
          )}
        </span>
      }
    >
      {(control) => (
        <textarea
          {...control}
          rows={5}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => settle(text)}
          className={clsx(MULTILINE, 'resize-y!')}
        />
      )}
    </Field>
  )
}

function asTyped(text: string): string {
  return text
}

function PresetsMenu() {
  const t = useTexts(setupTexts)
  const toasts = useToasts()
  const { presets } = useSetupControls()
  const { list, current, changed } = presets
  const [asking, setAsking] = useState<'save' | 'rename'>()
  useCommand({ id: 'playground.preset', label: t.savePreset, group: t.group, run: () => setAsking('save') })
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
      {asking !== undefined && <PresetDialog asking={asking} onClose={() => setAsking(undefined)} />}
    </>
  )
}

function PresetDialog({ asking, onClose }: { asking: 'save' | 'rename'; onClose: () => void }) {
  const t = useTexts(setupTexts)
  const toasts = useToasts()
  const { presets } = useSetupControls()
  const { list, current } = presets
  const save = (name: string) => {
    if (asking === 'rename' && current !== undefined) presets.rename(current.name, name)
    else presets.save(name)
    onClose()
    toasts.show({ tone: 'good', title: t.presetSaved(name) })
  }
  return (
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
      onClose={onClose}
    />
  )
}

function PresetCommand({ preset, onApply }: { preset: Preset; onApply: (preset: Preset) => void }) {
  const t = useTexts(setupTexts)
  const label = t.applyPreset(preset.name)
  useCommand({ id: `playground.preset.${preset.name}`, label, group: t.group, run: () => onApply(preset) })
  return null
}
