import { threadTexts } from '~/features/playground/texts/thread/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useDraft } from '../composer/draft.ts'

/** Shown before the first question: a few suggestions. They are put into the composer, never sent automatically. */
export function EmptyThread({ compares }: { compares: boolean }) {
  const t = useTexts(threadTexts)
  const draft = useDraft()
  const take = (text: string) => {
    draft.text.set(text)
    draft.field.current?.focus()
  }
  return (
    <div className="flex min-h-0 grow flex-col overflow-y-auto">
      <div className="m-auto w-full max-w-3xl px-4 py-8 md:px-6">
        <h2 className="text-lg font-semibold tracking-tight">{t.emptyTitle}</h2>
        <p className="text-muted mt-1">{compares ? t.emptyCompare : t.emptyText}</p>
        <ul aria-label={t.suggestions} className="mt-5 grid gap-2 sm:grid-cols-2">
          {Object.entries(t.suggested).map(([id, { title, text }]) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => take(text)}
                className="border-line bg-surface hover:bg-hover h-full w-full rounded-xl border px-4 py-3 text-start transition-colors"
              >
                <span className="block text-sm font-medium">{title}</span>
                <span className="text-muted line-clamp-2 text-xs">{text.trim()}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
