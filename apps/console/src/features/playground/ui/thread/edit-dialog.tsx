import { type KeyboardEvent, useState } from 'react'
import { contentOf, imagesOf, textOf } from '~/features/playground/model/message.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { MULTILINE } from '~/ui/field.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { AttachmentDrop, pastedFiles, AttachButton, AttachmentStrip } from '../composer/attachment-list.tsx'
import { useAttachments } from '../composer/use-attachments.ts'
import { usePlayground, usePlaygroundState, useSetup } from '../use-playground.ts'
import type { Edited } from './use-actions.tsx'

const LEAST_ROWS = 6
const MOST_ROWS = 18

interface EditDialogProps {
  readonly edited: Edited
  readonly onClose: () => void
}

export function EditDialog({ edited, onClose }: EditDialogProps) {
  const t = useTexts(threadTexts)
  const { text, setText, attachments, isReady, isAskable, save, saveAndSend } = useEdit(edited, onClose)
  const isQuestion = edited.message.role === 'user'
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    save()
  }
  return (
    <Dialog
      title={t.editTitle}
      side="wide"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          {isQuestion && (
            <Button disabled={!isReady || !isAskable} onClick={saveAndSend}>
              {t.saveAndSend}
            </Button>
          )}
          <Button variant="primary" disabled={!isReady} onClick={save}>
            {t.save}
          </Button>
        </>
      }
    >
      <div onKeyDown={onKeyDown} className="flex flex-col gap-2">
        <textarea
          data-first-focus
          dir="auto"
          aria-label={t.editText}
          value={text}
          rows={Math.min(MOST_ROWS, Math.max(LEAST_ROWS, text.split('\n').length))}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => attachments.add(pastedFiles(event))}
          className={MULTILINE}
        />
        {isQuestion && (
          <>
            <AttachmentStrip attachments={attachments} />
            <AttachmentDrop attachments={attachments} />
            <div>
              <AttachButton attachments={attachments} />
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

function useEdit({ column, message }: Edited, onClose: () => void) {
  const t = useTexts(threadTexts)
  const playground = usePlayground()
  const { busy } = usePlaygroundState()
  const setup = useSetup()
  const toasts = useToasts()
  const before = imagesOf(message.content)
  const [text, setText] = useState(() => textOf(message.content))
  const attachments = useAttachments(before)
  const changed = text !== textOf(message.content) || !isSame(attachments.images, before)
  const empty = text.trim() === '' && attachments.images.length === 0
  const isReady = changed && !empty && !attachments.pending
  // Otherwise the dialog would close with a text that was not accepted.
  const isAskable = !busy && setup.key !== '' && !setup.models.includes('')
  const content = contentOf(text, attachments.images)
  const save = () => {
    if (!isReady) return
    playground.edit(message.id, content)
    toasts.show({ tone: 'good', title: t.editedTitle, text: t.edited })
    onClose()
  }
  const saveAndSend = () => {
    playground.editAndSend(column, message.id, content, setup)
    onClose()
  }
  return { text, setText, attachments, isReady, isAskable, save, saveAndSend }
}

function isSame(images: readonly string[], others: readonly string[]): boolean {
  return images.length === others.length && images.every((image, index) => image === others[index])
}
