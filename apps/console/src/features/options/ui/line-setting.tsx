import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { formatCurrency } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Select, TextInput } from '~/ui/field.tsx'
import type { Setting, SettingOf } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { EntryForm } from './save-controls.tsx'
import type { SettingProps } from './setting-field.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSettingTexts, useSetting } from './use-setting.ts'

type LineKind = 'text' | 'address' | 'integer' | 'decimal'

const INPUT_MODES: Readonly<Record<LineKind, ComponentProps<'input'>['inputMode']>> = {
  text: 'text',
  address: 'url',
  integer: 'numeric',
  decimal: 'decimal',
}

export function LineSetting({ setting, stored, tab }: SettingProps<SettingOf<LineKind>>) {
  const { label } = useSettingTexts()(setting.key)
  const editing = useSetting(setting, stored)
  return (
    <SettingRow
      setting={setting}
      tab={tab}
      problem={editing.problem}
      remark={<NumberRemark setting={setting} entry={editing.entry} stored={stored} />}
    >
      {(ids, error) => (
        <EntryForm name={label} editing={editing} error={error}>
          <div className={clsx(isNumber(setting) && 'md:w-40 md:self-end')}>
            <TextInput
              {...ids}
              inputMode={INPUT_MODES[setting.kind]}
              autoComplete="off"
              spellCheck={false}
              value={editing.entry}
              onChange={(event) => editing.edit(event.target.value)}
            />
          </div>
          {setting.key === 'Logo' && stored !== '' && <Picture address={stored} />}
        </EntryForm>
      )}
    </SettingRow>
  )
}

function isNumber(setting: Setting): setting is SettingOf<'integer' | 'decimal'> {
  return setting.kind === 'integer' || setting.kind === 'decimal'
}

/** What the number counts and is worth, and the default if another value is in force. */
function NumberRemark(props: { readonly setting: Setting; readonly entry: string; readonly stored: string }) {
  const { setting, entry, stored } = props
  const t = useTexts(optionTexts)
  const display = useSystemStatus()
  if (!isNumber(setting)) return undefined
  const points = Number(entry)
  const isWorth = setting.unit === 'quota' && Number.isFinite(points) && points > 0
  const remarks = [
    setting.unit && t.unit(t.units[setting.unit]),
    isWorth && t.worth(formatCurrency(points, display)),
    stored !== setting.initial && t.initial(setting.initial),
  ]
  return remarks.filter(Boolean).join(' · ')
}

function Picture({ address }: { readonly address: string }) {
  const t = useTexts(optionTexts)
  return <img src={address} alt={t.logoAlt} className="border-line h-10 max-w-full self-start rounded border" />
}

export function ChoiceSetting({ setting, stored, tab }: SettingProps<SettingOf<'choice'>>) {
  const t = useTexts(optionTexts)
  const { label, choices = {} } = useSettingTexts()(setting.key)
  const editing = useSetting(setting, stored)
  const nameOf = (value: string) => choices[value] ?? value
  return (
    <SettingRow
      setting={setting}
      tab={tab}
      problem={editing.problem}
      remark={stored === setting.initial ? undefined : t.initial(nameOf(setting.initial))}
    >
      {(ids, error) => (
        <EntryForm name={label} editing={editing} error={error}>
          <Select
            {...ids}
            value={editing.entry}
            onChange={(event) => editing.edit(event.target.value)}
            options={setting.values.map((value) => ({ value, label: nameOf(value) }))}
          />
        </EntryForm>
      )}
    </SettingRow>
  )
}
