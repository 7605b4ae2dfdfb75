import { clsx } from 'clsx'
import { MULTILINE } from '../../../ui/field.tsx'
import type { SettingOf } from '../model/setting.ts'
import { EntryForm } from './entry-form.tsx'
import type { SettingProps } from './setting-field.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSettingTexts } from './use-setting-texts.ts'
import { useSetting } from './use-setting.ts'

/** A setting of several lines: the text of a page, or a list of names. It grows with its content up to half of the window. */
export function PageSetting({ setting, stored, tab }: SettingProps<SettingOf<'page' | 'list'>>) {
  const { label } = useSettingTexts()(setting.key)
  const editing = useSetting(setting, stored)
  const isPage = setting.kind === 'page'
  return (
    <SettingRow setting={setting} tab={tab} problem={editing.problem} wide={isPage}>
      {(ids) => (
        <EntryForm name={label} editing={editing}>
          <textarea
            {...ids}
            value={editing.entry}
            rows={isPage ? 4 : 2}
            spellCheck={isPage}
            onChange={(event) => editing.edit(event.target.value)}
            className={clsx(MULTILINE, 'field-sizing-content max-h-[50dvh] min-h-20')}
          />
        </EntryForm>
      )}
    </SettingRow>
  )
}
