import { type ReactNode, useRef } from 'react'
import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { randomUuid } from '../../../../lib/random/uuid.ts'
import { useToasts } from '../../../../ui/toast/toasts.ts'
import { digestInName } from '../../model/export/conversation-file.ts'
import { MOST_IMPORT_BYTES, readConversation } from '../../model/export/read-conversation.ts'
import { sha256 } from '../../model/export/sha256.ts'
import { exportTexts } from '../../texts/export/export-texts.ts'
import { usePlayground } from '../use-playground.ts'

interface ImportButtonProps {
  /** Draws the button. */
  readonly children: (choose: () => void, label: string) => ReactNode
  /** Called once the conversation shows. */
  readonly onImported?: () => void
}

/** Shows an exported conversation again. It gets an id of its own, so that nothing that is stored is overwritten. */
export function ImportButton({ children, onImported }: ImportButtonProps) {
  const t = useTexts(exportTexts)
  const toasts = useToasts()
  const playground = usePlayground()
  const input = useRef<HTMLInputElement>(null)
  const fail = (text: string) => toasts.show({ tone: 'bad', title: t.importFailed, text })

  const read = async (file: File) => {
    if (file.size > MOST_IMPORT_BYTES) return fail(t.tooLarge(file.name))
    const buffer = await file.arrayBuffer().catch(() => undefined)
    if (buffer === undefined) return fail(t.unreadable(file.name))
    const bytes = new Uint8Array(buffer)
    const newId = () => randomUuid((random) => crypto.getRandomValues(random))
    const result = readConversation(new TextDecoder().decode(bytes), { newId, now: Date.now() })
    if (!result.ok) {
      return fail(result.problem === 'not-json' ? t.notJson(file.name) : t.noConversation(file.name, result.place))
    }
    playground.open(result.conversation)
    const told = digestInName(file.name)
    const isAltered = told !== undefined && !sha256(bytes).startsWith(told)
    toasts.show({
      tone: isAltered ? 'info' : 'good',
      title: t.imported,
      text: isAltered ? t.altered : t.importedText(result.conversation.messages.length),
    })
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
