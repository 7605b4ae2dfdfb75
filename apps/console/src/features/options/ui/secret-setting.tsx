import { isWorthTelling } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { SecretBox } from '~/ui/form/secret-box.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import type { SettingOf } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { EntryForm } from './entry-form.tsx'
import type { SettingProps } from './setting-field.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSettingTexts } from './use-setting-texts.ts'
import { useSetting } from './use-setting.ts'
import { useStoreOption } from './use-store-option.ts'

/** A credential: shows whether it is set, but never its value. The field is blank before and after. */
export function SecretSetting({ setting, options, tab }: SettingProps<SettingOf<'secret'>>) {
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

/** Asks, then deletes the stored credential. */
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
