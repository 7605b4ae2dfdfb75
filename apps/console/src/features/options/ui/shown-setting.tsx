import { formatDateTime } from '~/lib/format/date.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { SettingOf } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import type { SettingProps } from './setting-field.tsx'
import { SettingRow } from './setting-row.tsx'

/** A value that the gateway reports and that cannot be edited. */
export function ShownSetting({ setting, stored, tab }: SettingProps<SettingOf<'shown'>>) {
  const t = useTexts(optionTexts)
  const time = Number(stored) > 0 ? formatDateTime(Number(stored)) : t.never
  const text = stored === '' ? t.nothingStored : stored.split(',').join(', ')
  return (
    <SettingRow setting={setting} tab={tab} unlabelled>
      {() => <p className="text-sm wrap-anywhere">{setting.as === 'time' ? time : text}</p>}
    </SettingRow>
  )
}
