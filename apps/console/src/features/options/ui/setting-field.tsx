import { formatDateTime } from '~/lib/format/date.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { StoredOptions } from '../calls.ts'
import { type OptionsTabId, valueOf } from '../model/placed-settings.ts'
import type { Setting, SettingOf } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { FlagSetting } from './flag-setting.tsx'
import { GroupsSetting } from './groups-setting.tsx'
import { JsonSetting } from './json-setting.tsx'
import { ChoiceSetting, LineSetting } from './line-setting.tsx'
import { ListSetting, PageSetting } from './page-setting.tsx'
import { SecretSetting } from './secret-setting.tsx'
import { OwnerContext, SettingRow } from './setting-row.tsx'

export interface SettingProps<S extends Setting> {
  readonly setting: S
  /** The value in force. */
  readonly stored: string
  readonly options: StoredOptions
  /** Where the setting is, for links to it. */
  readonly tab: OptionsTabId
}

type SettingFieldProps = Omit<SettingProps<Setting>, 'stored'>

/** The row of a setting; one that a configuration file owns can only be read. */
export function SettingField(props: SettingFieldProps) {
  const owner = props.options.managedBy[props.setting.key] ?? ''
  return (
    <OwnerContext value={owner}>
      <FieldByKind {...props} />
    </OwnerContext>
  )
}

function FieldByKind({ setting, options, tab }: SettingFieldProps) {
  const common = { stored: valueOf(setting, options.values), options, tab }
  switch (setting.kind) {
    case 'flag':
      return <FlagSetting setting={setting} {...common} />
    case 'choice':
      return <ChoiceSetting setting={setting} {...common} />
    case 'text':
    case 'address':
    case 'integer':
    case 'decimal':
      return <LineSetting setting={setting} {...common} />
    case 'list':
      return <ListSetting setting={setting} {...common} />
    case 'page':
      return <PageSetting setting={setting} {...common} />
    case 'ratios':
    case 'json':
      return <JsonSetting setting={setting} {...common} />
    case 'groups':
      return <GroupsSetting setting={setting} {...common} />
    case 'secret':
      return <SecretSetting setting={setting} {...common} />
    case 'shown':
      return <ShownSetting setting={setting} {...common} />
  }
}

/** A value that the gateway reports and that cannot be edited. */
function ShownSetting({ setting, stored, tab }: SettingProps<SettingOf<'shown'>>) {
  const t = useTexts(optionTexts)
  const time = Number(stored) > 0 ? formatDateTime(Number(stored)) : t.never
  const text = stored === '' ? t.nothingStored : stored.split(',').join(', ')
  return (
    <SettingRow setting={setting} tab={tab} unlabelled>
      {() => <p className="text-sm wrap-anywhere">{setting.as === 'time' ? time : text}</p>}
    </SettingRow>
  )
}
