import type { StoredOptions } from '../calls.ts'
import type { OptionsTabId } from '../model/cards.ts'
import { valueOf } from '../model/placed-settings.ts'
import type { Setting } from '../model/setting.ts'
import { FlagSetting } from './flag-setting.tsx'
import { GroupsSetting } from './groups-setting.tsx'
import { JsonSetting } from './json-setting.tsx'
import { ChoiceSetting, LineSetting } from './line-setting.tsx'
import { OwnerContext } from './owner-context.ts'
import { ListSetting, PageSetting } from './page-setting.tsx'
import { SecretSetting } from './secret-setting.tsx'
import { ShownSetting } from './shown-setting.tsx'

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
