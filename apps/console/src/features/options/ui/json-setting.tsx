import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { JsonBox } from '~/ui/form/json-box.tsx'
import { jsonErrorPosition } from '~/ui/form/json-position.ts'
import { uiTexts } from '~/ui/texts/ui-texts.ts'
import type { SettingOf } from '../model/setting.ts'
import { EntryForm } from './entry-form.tsx'
import type { SettingProps } from './setting-field.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSettingTexts } from './use-setting-texts.ts'
import { useSetting } from './use-setting.ts'

/** A setting in JSON: the line of a syntax error is marked while typing. */
export function JsonSetting({ setting, stored, tab }: SettingProps<SettingOf<'ratios'> | SettingOf<'json'>>) {
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
