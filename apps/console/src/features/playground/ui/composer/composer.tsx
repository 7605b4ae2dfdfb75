import { type FormEvent, type KeyboardEvent, useEffect } from 'react'
import { contentOf } from '~/features/playground/model/message.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useCommandRegistry } from '~/lib/commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useStore } from '~/lib/store.ts'
import { Badge } from '~/ui/badge.tsx'
import { IconButton } from '~/ui/button.tsx'
import { SendIcon, StopIcon } from '../playground-icons.tsx'
import { EDIT_LAST } from '../thread/use-actions.tsx'
import { usePlayground, usePlaygroundState, useSetup } from '../use-playground.ts'
import { AttachmentDrop, pastedFiles, AttachButton, AttachmentStrip } from './attachment-list.tsx'
import { returnToField, useDraft, type AttachmentState, useNextAttachments } from './use-attachments.ts'

const MOST_ROWS = 9

export function Composer() {
  const t = useTexts(threadTexts)
  const playground = usePlayground()
  const { busy, columns } = usePlaygroundState()
  const setup = useSetup()
  const draft = useDraft()
  const text = useStore(draft.text)
  const attachments = useNextAttachments()
  const models = setup.models.slice(0, columns.length)
  const barred = useBarred(text, attachments, models)
  const onKeys = useComposerKeys()
  // A user opens this page to write.
  useEffect(() => returnToField(draft), [draft])

  const send = (event?: FormEvent) => {
    event?.preventDefault()
    if (busy || barred !== undefined) return
    if (!playground.send(contentOf(text.trim(), attachments.images), setup)) return
    draft.text.set('')
    attachments.reset([])
  }
  return (
    <form aria-label={t.form} onSubmit={send} className="mx-auto w-full max-w-3xl px-2 pb-2 md:px-6 md:pb-4">
      <div className="border-control/60 bg-surface focus-within:border-accent shadow-float rounded-2xl border transition-colors">
        <AttachmentStrip attachments={attachments} />
        <AttachmentDrop attachments={attachments} />
        <textarea
          ref={draft.field}
          dir="auto"
          aria-label={t.message}
          placeholder={t.placeholder(models.filter(Boolean).join(', '))}
          value={text}
          // For browsers that do not size a field to its content.
          rows={Math.min(MOST_ROWS, text.split('\n').length)}
          // Read-only rather than disabled, so that the focus stays and Escape reaches it.
          readOnly={busy}
          aria-disabled={busy}
          enterKeyHint="send"
          onChange={(event) => draft.text.set(event.target.value)}
          onPaste={(event) => attachments.add(pastedFiles(event))}
          onKeyDown={(event) => onKeys(event, send)}
          className="max-md:text-entry field-sizing-content block max-h-60 min-h-11 w-full resize-none bg-transparent px-4 pt-3 pb-1 leading-6 outline-none aria-disabled:opacity-55"
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          <AttachButton attachments={attachments} disabled={busy} />
          <span className="grow" />
          <span role="status">{busy && <Badge tone="neutral">{t.generating}</Badge>}</span>
          {busy ? (
            <IconButton tone="bordered" label={t.stop} aria-keyshortcuts="Escape" onClick={() => playground.stop()}>
              <StopIcon />
            </IconButton>
          ) : (
            <IconButton tone="solid" type="submit" label={t.send} barred={barred}>
              <SendIcon />
            </IconButton>
          )}
        </div>
      </div>
    </form>
  )
}

/** Why nothing can be sent; undefined when something can. */
function useBarred(text: string, attachments: AttachmentState, models: readonly string[]): string | undefined {
  const t = useTexts(threadTexts)
  const { key } = useSetup()
  if (key === '') return t.noToken
  if (models.includes('')) return t.noModel
  if (attachments.pending) return t.imagesPending
  return text.trim() === '' && attachments.images.length === 0 ? t.nothingToSend : undefined
}

/** Enter sends, Shift+Enter starts a new line, Escape stops, and the up arrow in an empty composer edits the last question. */
function useComposerKeys() {
  const playground = usePlayground()
  const registry = useCommandRegistry()
  return (event: KeyboardEvent<HTMLTextAreaElement>, send: () => void) => {
    // An input method uses Enter to accept its suggestion.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    }
    if (event.key === 'Escape') playground.stop()
    if (event.key !== 'ArrowUp' || event.currentTarget.value !== '') return
    const editLast = registry.get().find(({ id }) => id === EDIT_LAST)
    if (editLast === undefined) return
    event.preventDefault()
    editLast.run()
  }
}
