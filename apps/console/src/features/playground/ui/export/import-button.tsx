import { type ReactNode, useRef } from 'react'
import type { ImportedFile } from '~/features/playground/model/export/import-file.ts'
import { exportTexts } from '~/features/playground/texts/export-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { randomUuid } from '~/lib/uuid.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { usePlayground } from '../use-playground.ts'

interface ImportButtonProps {
  readonly children: (choose: () => void, label: string) => ReactNode
  /** Called once the conversation is shown. */
  readonly onImported?: () => void
}

/** The restored conversation gets an id of its own, so that nothing stored is overwritten. */
export function ImportButton({ children, onImported }: ImportButtonProps) {
  const t = useTexts(exportTexts)
  const toasts = useToasts()
  const playground = usePlayground()
  const input = useRef<HTMLInputElement>(null)

  const read = async (file: File) => {
    const { importFile } = await import('~/features/playground/model/export/import-file.ts')
    const newId = () => randomUuid((bytes) => crypto.getRandomValues(bytes))
    const result = await importFile(file, { newId, now: Date.now() })
    if (!result.ok) {
      toasts.show({ tone: 'bad', title: t.importFailed, text: noticeOf(t, file.name, result) })
      return
    }
    const { conversation, altered } = result
    playground.open(conversation)
    const text = altered ? t.altered : t.importedText(conversation.messages.length)
    toasts.show({ tone: altered ? 'info' : 'good', title: t.imported, text })
    onImported?.()
  }

  return (
    <>
      {children(() => input.current?.click(), t.import)}
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={t.import}
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) void read(file)
          target.value = ''
        }}
      />
    </>
  )
}

function noticeOf(
  t: typeof exportTexts.en,
  name: string,
  result: Exclude<ImportedFile, { readonly ok: true }>,
): string {
  switch (result.problem) {
    case 'too-large':
      return t.tooLarge(name)
    case 'unreadable':
      return t.unreadable(name)
    case 'not-json':
      return t.notJson(name)
    case 'no-conversation':
      return t.noConversation(name, result.place)
  }
}
