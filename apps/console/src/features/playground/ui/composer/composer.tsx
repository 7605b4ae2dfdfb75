import { type FormEvent, type KeyboardEvent, useEffect } from 'react'
import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { useStore } from '../../../../lib/store/use-store.ts'
import { Badge } from '../../../../ui/badge.tsx'
import { IconButton } from '../../../../ui/button.tsx'
import { contentOf } from '../../model/message.ts'
import { composerTexts } from '../../texts/composer/composer-texts.ts'
import { SendIcon, StopIcon } from '../playground-icons.tsx'
import { usePlayground, usePlaygroundState, useSetup } from '../use-playground.ts'
import { useDraft } from './draft.ts'

/** Where the next question is written. While a reply is on its way it offers to stop it instead. */
export function Composer() {
  const t = useTexts(composerTexts)
  const playground = usePlayground()
  const { busy, columns } = usePlaygroundState()
  const setup = useSetup()
  const draft = useDraft()
  const text = useStore(draft.text)
  const models = setup.models.slice(0, columns.length)
  const barred =
    setup.key === ''
      ? t.noToken
      : models.length === 0 || models.includes('')
        ? t.noModel
        : text.trim() === ''
          ? t.nothingToSend
          : undefined
  useEffect(() => draft.field.current?.focus(), [draft])
  const send = (event?: FormEvent) => {
    event?.preventDefault()
    if (barred === undefined && playground.send(contentOf(text.trim(), []), setup)) draft.text.set('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses Enter to accept what it proposes.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      if (!busy) send()
    }
    if (event.key === 'Escape' && busy) playground.stop()
  }
  return (
    <form aria-label={t.form} onSubmit={send} className="mx-auto w-full max-w-3xl px-4 pb-3">
      <div className="border-control bg-surface flex flex-col rounded-xl border">
        <textarea
          ref={draft.field}
          aria-label={t.message}
          placeholder={t.placeholder(models.join(', '))}
          value={text}
          rows={1}
          readOnly={busy}
          aria-disabled={busy}
          enterKeyHint="send"
          onChange={(event) => draft.text.set(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-60 min-h-10 w-full resize-none rounded-xl bg-transparent px-3.5 pt-3 max-md:text-entry"
        />
        <div className="flex items-center justify-end gap-2 p-2">
          {busy && <Badge tone="neutral">{t.generating}</Badge>}
          {busy ? (
            <IconButton tone="bordered" label={t.stop} onClick={() => playground.stop()}>
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
