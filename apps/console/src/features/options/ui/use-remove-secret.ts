import { isWorthTelling } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useConfirm } from '~/ui/confirm.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import type { SettingOf } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { useSettingTexts } from './use-setting-texts.ts'
import { useStoreOption } from './use-store-option.ts'

/** Asks, then deletes the stored credential. */
export function useRemoveSecret(setting: SettingOf<'secret'>): () => void {
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
