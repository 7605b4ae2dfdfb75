import { IMPORT_UPLOAD_MAX } from '@sluice/contract/import'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { useLeaveGuard } from '~/lib/navigation/use-leave-guard.ts'
import { LATEST_IMPORT } from '../calls.ts'
import { isSqliteFile, sendFile } from '../model/send-file.ts'
import { importTexts } from '../texts/import-texts.ts'

type UploadState =
  | { readonly is: 'idle' }
  | { readonly is: 'sending'; readonly file: string; readonly sent: number; readonly size: number }
  | { readonly is: 'failed'; readonly reason: string }

/** The largest file. */
export const UPLOAD_LIMIT = `${IMPORT_UPLOAD_MAX / 2 ** 30} GiB`

/** One upload at a time. `onStored` is told the id of the upload and the name of its file. */
export function useUpload(onStored: (upload: string, file: string) => void) {
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
        // Should the session have ended, this call finds out and sends the visitor to sign-in.
        void cache.invalidateQueries({ queryKey: LATEST_IMPORT })
        return fail(reply.message === '' ? t.uploadFailed : reply.message)
    }
  }
  return { state, send, cancel: () => sending.current?.abort(), guard: guard.stopped }
}
