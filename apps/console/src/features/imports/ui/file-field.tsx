import { type DragEvent, useRef, useState } from 'react'
import { formatBytes } from '~/lib/format/bytes.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { LeaveDialog } from '~/ui/form/leave-dialog.tsx'
import { CheckIcon } from '~/ui/sign-icons.tsx'
import type { ImportSearch } from '../model/import-search.ts'
import { importTexts } from '../texts/import-texts.ts'
import { ProgressBar } from './progress-bar.tsx'
import { UPLOAD_LIMIT, useUpload } from './use-upload.ts'

interface FileFieldProps {
  readonly search: ImportSearch
  readonly onChange: (change: Partial<ImportSearch>) => void
}

/** A SQLite file, chosen or dropped, that is uploaded at once. */
export function FileField({ search, onChange }: FileFieldProps) {
  const t = useTexts(importTexts).source
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const { state, send, cancel, guard } = useUpload((upload, file) => onChange({ upload, file }))
  const isSending = state.is === 'sending'
  const choose = (files: FileList | null) => {
    const file = files?.[0]
    if (file !== undefined) void send(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!isSending) choose(event.dataTransfer.files)
  }
  return (
    <div className="flex min-h-44 flex-col gap-2">
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        data-over={over || undefined}
        className="border-control data-over:bg-accent-soft flex min-h-28 flex-col items-center justify-center gap-3 rounded-lg border border-dashed p-4 text-center text-sm"
      >
        {isSending ? (
          <>
            <span className="wrap-anywhere tabular-nums">
              {t.uploading(state.file, formatBytes(state.sent), formatBytes(state.size))}
            </span>
            <ProgressBar label={t.file} share={state.size > 0 ? state.sent / state.size : 0} />
            <Button size="small" onClick={cancel}>
              {t.cancel}
            </Button>
          </>
        ) : (
          <>
            {search.upload === '' ? (
              <span className="text-muted">{t.drop}</span>
            ) : (
              <span className="text-good flex items-start gap-2 wrap-anywhere">
                <span className="mt-0.5">
                  <CheckIcon />
                </span>
                {t.uploaded(search.file)}
              </span>
            )}
            <Button onClick={() => input.current?.click()}>{search.upload === '' ? t.choose : t.another}</Button>
          </>
        )}
        <input
          ref={input}
          type="file"
          aria-label={t.file}
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            choose(target.files)
            target.value = ''
          }}
        />
      </div>
      <p role="status" className="text-bad text-sm empty:hidden">
        {state.is === 'failed' && state.reason}
      </p>
      <p className="text-muted text-xs">
        {t.copy} <code className="font-mono">sqlite3 one-api.db &quot;.backup copy.db&quot;</code>
        <br />
        {t.limit(UPLOAD_LIMIT)}
      </p>
      {guard !== undefined && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </div>
  )
}
