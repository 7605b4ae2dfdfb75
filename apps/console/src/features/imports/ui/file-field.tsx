import { IMPORT_UPLOAD_MAX } from '@sluice/contract/import'
import { uploadImport } from '@sluice/contract/routes/imports'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useRef, useState, useEffect } from 'react'
import { formatBytes } from '~/lib/format/units.ts'
import { requestInit, requestUrl } from '~/lib/http/request.ts'
import { useTexts, useLocale } from '~/lib/i18n/i18n.ts'
import type { Locale } from '~/lib/i18n/texts.ts'
import { useLeaveGuard } from '~/lib/navigation/use-leave-guard.ts'
import { Button } from '~/ui/button.tsx'
import { LeaveDialog } from '~/ui/form/form-shell.tsx'
import { CheckIcon } from '~/ui/icon.tsx'
import { LATEST_IMPORT } from '../calls.ts'
import type { ImportSearch } from '../model/import-search.ts'
import { importTexts } from '../texts/import-texts.ts'
import { ProgressBar } from './use-start-import.tsx'

interface FileFieldProps {
  readonly search: ImportSearch
  readonly onChange: (change: Partial<ImportSearch>) => void
}

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
          <SendingFile state={state} onCancel={cancel} />
        ) : (
          <StoredFile name={search.upload === '' ? undefined : search.file} onChoose={() => input.current?.click()} />
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

interface SendingFileProps {
  readonly state: UploadState & { readonly is: 'sending' }
  readonly onCancel: () => void
}

function SendingFile({ state: { file, sent, size }, onCancel }: SendingFileProps) {
  const t = useTexts(importTexts).source
  return (
    <>
      <span className="wrap-anywhere tabular-nums">{t.uploading(file, formatBytes(sent), formatBytes(size))}</span>
      <ProgressBar label={t.file} share={size > 0 ? sent / size : 0} />
      <Button size="small" onClick={onCancel}>
        {t.cancel}
      </Button>
    </>
  )
}

interface StoredFileProps {
  readonly name: string | undefined
  readonly onChoose: () => void
}

function StoredFile({ name, onChoose }: StoredFileProps) {
  const t = useTexts(importTexts).source
  return (
    <>
      {name === undefined ? (
        <span className="text-muted">{t.drop}</span>
      ) : (
        <span className="text-good flex items-start gap-2 wrap-anywhere">
          <span className="mt-0.5">
            <CheckIcon />
          </span>
          {t.uploaded(name)}
        </span>
      )}
      <Button onClick={onChoose}>{name === undefined ? t.choose : t.another}</Button>
    </>
  )
}

type UploadState =
  | { readonly is: 'idle' }
  | { readonly is: 'sending'; readonly file: string; readonly sent: number; readonly size: number }
  | { readonly is: 'failed'; readonly reason: string }

const UPLOAD_LIMIT = `${IMPORT_UPLOAD_MAX / 2 ** 30} GiB`

/** One upload at a time. `onStored` receives the id of the upload and the file name. */
function useUpload(onStored: (upload: string, file: string) => void) {
  const t = useTexts(importTexts).source
  const locale = useLocale()
  const cache = useQueryClient()
  const [state, setState] = useState<UploadState>({ is: 'idle' })
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])
  const staysHere = ({ pathname, search }: { readonly pathname: string; readonly search: object }) =>
    pathname === '/import' && !('step' in search) && !('from' in search)
  const guard = useLeaveGuard(state.is === 'sending', staysHere)

  const send = async (file: File) => {
    const fail = (reason: string) => setState({ is: 'failed', reason })
    if (!(await isSqliteFile(file).catch(() => false))) return fail(t.notSqlite)
    if (file.size > IMPORT_UPLOAD_MAX) return fail(t.tooLarge(UPLOAD_LIMIT))
    const abort = new AbortController()
    sending.current = abort
    const show = (sent: number) =>
      setState({ is: 'sending', file: file.name, sent: Math.min(sent, file.size), size: file.size })
    show(0)
    const reply = await sendFile(file, { locale, signal: abort.signal, onProgress: show })
    switch (reply.is) {
      case 'stored':
        setState({ is: 'idle' })
        return onStored(reply.upload, file.name)
      case 'cancelled':
        return fail(t.cancelled)
      case 'broken':
        return fail(t.broken)
      case 'refused':
        // If the session has ended, this call finds out and sends the visitor to sign-in.
        void cache.invalidateQueries({ queryKey: LATEST_IMPORT })
        return fail(reply.message === '' ? t.uploadFailed : reply.message)
    }
  }
  return { state, send, cancel: () => sending.current?.abort(), guard: guard.stopped }
}

export type SentFile =
  | { readonly is: 'stored'; readonly upload: string }
  /** `message` is the gateway's, if it gave one. */
  | { readonly is: 'refused'; readonly message: string; readonly status: number }
  | { readonly is: 'broken' }
  | { readonly is: 'cancelled' }

interface Sending {
  readonly locale: Locale
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/** Uses XMLHttpRequest, because `fetch` does not report how much of a body has been sent. Never rejects. */
function sendFile(file: File, { locale, signal, onProgress }: Sending): Promise<SentFile> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(uploadImport.method, requestUrl(uploadImport, { query: { name: file.name.slice(0, 100) } }, 0))
    for (const [name, value] of new Headers(requestInit(uploadImport, {}, locale).headers)) {
      request.setRequestHeader(name, value)
    }
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => resolve(replyOf(request)))
    request.addEventListener('error', () => resolve({ is: 'broken' }))
    request.addEventListener('abort', () => resolve({ is: 'cancelled' }))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

function replyOf({ status, responseText }: XMLHttpRequest): SentFile {
  let reply: { readonly data?: { readonly upload?: unknown } | null; readonly message?: unknown } = {}
  try {
    reply = JSON.parse(responseText)
  } catch {
    // A proxy's own page: its status says enough.
  }
  const upload = reply.data?.upload
  if (typeof upload === 'string') return { is: 'stored', upload }
  return { is: 'refused', message: typeof reply.message === 'string' ? reply.message : '', status }
}

/** Checked before gigabytes are sent for nothing. */
async function isSqliteFile(file: Blob): Promise<boolean> {
  return (await file.slice(0, 16).text()) === 'SQLite format 3\0'
}
