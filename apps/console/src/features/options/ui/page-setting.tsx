import { clsx } from 'clsx'
import { useState, lazy, Suspense, useDeferredValue } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { MULTILINE } from '~/ui/field.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import type { SettingOf } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { EntryForm } from './save-controls.tsx'
import type { SettingProps } from './setting-field.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSettingTexts, useSetting } from './use-setting.ts'

export function PageSetting({ setting, stored, tab }: SettingProps<SettingOf<'page'>>) {
  const t = useTexts(optionTexts)
  const { label } = useSettingTexts()(setting.key)
  const editing = useSetting(setting, stored)
  const [previewed, setPreviewed] = useState(false)
  return (
    <SettingRow setting={setting} tab={tab} problem={editing.problem} place="below">
      {(ids, error) => (
        <EntryForm name={label} editing={editing} error={error}>
          <textarea
            {...ids}
            value={editing.entry}
            rows={4}
            onChange={(event) => editing.edit(event.target.value)}
            className={clsx(MULTILINE, 'field-sizing-content max-h-[50dvh] min-h-20')}
          />
          <div className="flex justify-end">
            <Button
              size="small"
              variant="ghost"
              aria-expanded={previewed}
              aria-label={t.previewOf(label)}
              onClick={() => setPreviewed(!previewed)}
            >
              {t.preview}
            </Button>
          </div>
          {previewed && <PagePreview name={label} text={editing.entry} isHtml={setting.key === 'Footer'} />}
        </EntryForm>
      )}
    </SettingRow>
  )
}

export function ListSetting({ setting, stored, tab }: SettingProps<SettingOf<'list'>>) {
  const { label } = useSettingTexts()(setting.key)
  const editing = useSetting(setting, stored)
  return (
    <SettingRow setting={setting} tab={tab} problem={editing.problem}>
      {(ids, error) => (
        <EntryForm name={label} editing={editing} error={error}>
          <textarea
            {...ids}
            value={editing.entry}
            rows={2}
            spellCheck={false}
            onChange={(event) => editing.edit(event.target.value)}
            className={clsx(MULTILINE, 'field-sizing-content max-h-48')}
          />
        </EntryForm>
      )}
    </SettingRow>
  )
}

const RichContent = lazy(async () => ({
  default: (await import('~/ui/rich-content/rich-content.tsx')).RichContent,
}))
const SafeHtml = lazy(async () => ({ default: (await import('~/ui/rich-content/safe-html.tsx')).SafeHtml }))

interface PagePreviewProps {
  readonly name: string
  readonly text: string
  /** Whether the text counts as HTML whatever it looks like, as in the footer. */
  readonly isHtml: boolean
}

/** Sanitised in the same way as for visitors. */
function PagePreview({ name, text, isHtml }: PagePreviewProps) {
  const t = useTexts(optionTexts)
  const drawn = useDeferredValue(text)
  return (
    <section
      aria-label={t.previewOf(name)}
      className="border-line max-h-96 overflow-y-auto rounded-md border border-dashed px-4 py-3"
    >
      {drawn.trim() === '' ? (
        <p className="text-muted text-sm">{t.previewEmpty}</p>
      ) : (
        <Suspense fallback={<Skeleton className="h-16 w-full" />}>
          {isHtml ? <SafeHtml html={drawn} /> : <RichContent text={drawn} />}
        </Suspense>
      )}
    </section>
  )
}
