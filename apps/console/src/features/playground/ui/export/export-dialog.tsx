import { useMemo, useState } from 'react'
import {
  type ExportChoice,
  type ExportedFile,
  exportedFile,
  EXPORT_FORMATS,
  type ExportWords,
} from '~/features/playground/model/export/conversation-file.ts'
import { type Conversation, imagesOf } from '~/features/playground/model/message.ts'
import { exportTexts } from '~/features/playground/texts/export-texts.ts'
import { saveFile } from '~/lib/dom/save-file.ts'
import { formatBytes } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { CopyButton, CopyText } from '~/ui/copy-button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { Checkbox, Field, Select } from '~/ui/field.tsx'
import { usePlaygroundState } from '../use-playground.ts'

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(exportTexts)
  const { conversation } = usePlaygroundState()
  if (conversation.messages.length > 0) return <FileDialog conversation={conversation} onClose={onClose} />
  return (
    <Dialog title={t.exportTitle} onClose={onClose}>
      <p className="text-muted">{t.nothing}</p>
    </Dialog>
  )
}

function FileDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const t = useTexts(exportTexts)
  const [choice, setChoice] = useState<ExportChoice>({ format: 'json', images: true, reasoning: true })
  const file = useMemo(() => exportedFile(conversation, choice, wordsOf(t)), [conversation, choice, t])
  const { messages } = conversation
  const save = () => {
    saveFile(file.name, file.text, file.type)
    onClose()
  }
  return (
    <Dialog
      title={t.exportTitle}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={save}>
          {t.save}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t.format} hint={t.formatHints[choice.format]}>
          {(control) => (
            <Select
              {...control}
              data-first-focus
              value={choice.format}
              options={EXPORT_FORMATS.map((value) => ({ value, label: t.formats[value] }))}
              onChange={({ target }) =>
                setChoice({ ...choice, format: EXPORT_FORMATS.find((format) => format === target.value) ?? 'json' })
              }
            />
          )}
        </Field>
        {messages.some(({ content }) => imagesOf(content).length > 0) && (
          <Checkbox
            label={t.withImages}
            checked={choice.images}
            onChange={({ target }) => setChoice({ ...choice, images: target.checked })}
          />
        )}
        {messages.some((message) => (message.reasoning_content ?? '') !== '') && (
          <Checkbox
            label={t.withReasoning}
            checked={choice.reasoning}
            onChange={({ target }) => setChoice({ ...choice, reasoning: target.checked })}
          />
        )}
        <FileFacts file={file} />
      </div>
    </Dialog>
  )
}

function FileFacts({ file }: { file: ExportedFile }) {
  const t = useTexts(exportTexts)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
      <dt className="text-muted">{t.fileName}</dt>
      <dd className="wrap-anywhere">{file.name}</dd>
      <dt className="text-muted">{t.size}</dt>
      <dd className="flex items-center gap-1">
        {formatBytes(file.size)}
        <CopyButton text={file.text} label={t.copy} />
      </dd>
      <dt className="text-muted">{t.digest}</dt>
      <dd>
        <CopyText text={file.digest} label={t.copyDigest} />
        <p className="text-muted text-xs">{t.digestHint}</p>
      </dd>
    </dl>
  )
}

function wordsOf({ roles, reasoning, image, imageLeftOut }: typeof exportTexts.en): ExportWords {
  return { ...roles, reasoning, image, imageLeftOut }
}
