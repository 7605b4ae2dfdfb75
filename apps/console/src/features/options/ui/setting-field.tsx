import { formatDateTime } from '~/lib/format/date.ts'
import { isWorthTelling } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { JsonBox } from '~/ui/form/json-box.tsx'
import { jsonErrorPosition } from '~/ui/form/json-position.ts'
import { SecretBox } from '~/ui/form/secret-box.tsx'
import { Switch } from '~/ui/switch.tsx'
import { uiTexts } from '~/ui/texts/ui-texts.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import type { StoredOptions } from '../calls.ts'
import { type OptionsTabId, valueOf, missingNeeds } from '../model/placed-settings.ts'
import type { Setting, SettingOf } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { GroupsSetting } from './groups-setting.tsx'
import { ChoiceSetting, LineSetting } from './line-setting.tsx'
import { ListSetting, PageSetting } from './page-setting.tsx'
import { SaveState, EntryForm } from './save-controls.tsx'
import { OwnerContext, SettingRow } from './setting-row.tsx'
import { useSettingTexts, useSetting } from './use-setting.ts'
import { useStoreOption } from './use-store-option.ts'

export interface SettingProps<S extends Setting> {
  readonly setting: S
  /** The value in force. */
  readonly stored: string
  readonly options: StoredOptions
  readonly tab: OptionsTabId
}

type SettingFieldProps = Omit<SettingProps<Setting>, 'stored'>

/** A setting that a configuration file owns is read-only. */
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

/** Saves when it is pressed. A switch that the gateway would not accept yet says what it needs. */
function FlagSetting({ setting, stored, options, tab }: SettingProps<SettingOf<'flag'>>) {
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

function JsonSetting({ setting, stored, tab }: SettingProps<SettingOf<'ratios'> | SettingOf<'json'>>) {
  const ui = useTexts(uiTexts)
  const { label } = useSettingTexts()(setting.key)
  const editing = useSetting(setting, stored)
  const { entry, problem } = editing
  const broken = jsonErrorPosition(entry)
  return (
    <SettingRow setting={setting} tab={tab} problem={problem} place="below">
      {(ids, error) => (
        <EntryForm name={label} editing={editing} error={error}>
          <JsonBox ids={ids} value={entry} onChange={editing.edit} marked={broken?.line} />
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span role="status" className="text-muted text-xs">
              {broken !== undefined && problem === '' && ui.jsonBroken(String(broken.line), String(broken.column))}
            </span>
            <Button
              size="small"
              variant="ghost"
              disabled={broken !== undefined}
              onClick={() => editing.edit(JSON.stringify(JSON.parse(entry), undefined, 2))}
            >
              {ui.formatJson}
            </Button>
          </div>
        </EntryForm>
      )}
    </SettingRow>
  )
}

/** Shows whether the credential is set, but never its value. The field is blank before and after saving. */
function SecretSetting({ setting, options, tab }: SettingProps<SettingOf<'secret'>>) {
  const t = useTexts(optionTexts)
  const { label } = useSettingTexts()(setting.key)
  const editing = useSetting(setting, '')
  const remove = useRemoveSecret(setting)
  const isSet = options.secretsSet.includes(setting.key)
  return (
    <SettingRow setting={setting} tab={tab} problem={editing.problem} remark={isSet ? t.secretHint : undefined}>
      {(ids, error) => (
        <EntryForm name={label} editing={editing} error={error}>
          <SecretBox
            {...ids}
            value={editing.entry}
            placeholder={t.secretPlaceholder}
            onChange={(event) => editing.edit(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              if (!event.ctrlKey && !event.metaKey) editing.save()
            }}
          />
          <div className="flex min-h-7 items-center justify-between gap-2">
            <Badge tone={isSet ? 'good' : 'neutral'}>{isSet ? t.set : t.notSet}</Badge>
            {isSet && (
              <Button size="small" variant="ghost" aria-label={t.removeSecretOf(label)} onClick={remove}>
                {t.removeSecret}
              </Button>
            )}
          </div>
        </EntryForm>
      )}
    </SettingRow>
  )
}

/** Asks first. */
function useRemoveSecret(setting: SettingOf<'secret'>): () => void {
  const t = useTexts(optionTexts)
  const { label } = useSettingTexts()(setting.key)
  const confirm = useConfirm()
  const toasts = useToasts()
  const store = useStoreOption()
  const run = async () => {
    const reply = await store(setting, '')
    if (reply.ok) {
      toasts.show({ tone: 'good', title: t.settingSaved, text: t.updatedSuccessfully(setting.key) })
    } else if (isWorthTelling(reply)) {
      toasts.show({ tone: 'bad', title: t.saveFailed, text: reply.message === '' ? t.unknownError : reply.message })
    }
  }
  return () =>
    confirm({
      title: t.removeSecretTitle(label),
      text: t.removeSecretText,
      confirm: t.removeSecret,
      busy: t.removing,
      danger: true,
      run,
    })
}
