import { useTexts } from '~/lib/i18n/i18n.ts'
import { Switch } from '~/ui/switch.tsx'
import { missingNeeds } from '../model/placed-settings.ts'
import type { SettingOf } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { SaveState } from './save-controls.tsx'
import type { SettingProps } from './setting-field.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSettingTexts } from './use-setting-texts.ts'
import { useSetting } from './use-setting.ts'

/** A switch: it saves when it is pressed. One that the gateway would not accept yet says what it needs. */
export function FlagSetting({ setting, stored, options, tab }: SettingProps<SettingOf<'flag'>>) {
  const t = useTexts(optionTexts)
  const textsOf = useSettingTexts()
  const editing = useSetting(setting, stored)
  const on = editing.entry === 'true'
  const missing = on ? [] : missingNeeds(setting, options)
  const needs = missing.map((key) => textsOf(key).label).join(', ')
  return (
    <SettingRow setting={setting} tab={tab} place="end" remark={needs === '' ? undefined : t.needs(needs)}>
      {(ids) => (
        <div className="flex max-w-40 flex-col items-end gap-1">
          <Switch {...ids} checked={on} disabled={needs !== ''} onChange={() => editing.save(on ? 'false' : 'true')} />
          <SaveState name={textsOf(setting.key).label} editing={editing} />
        </div>
      )}
    </SettingRow>
  )
}
