import { useEffect, useRef, useState } from 'react'
import type { Failure } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type Toasts, useToasts } from '~/ui/toast/toasts.ts'
import { useTellFailure } from '~/ui/toast/use-tell-failure.ts'
import type { ExportProgress } from '../model/export/export-logs.ts'
import { logTexts } from '../texts/log-texts.ts'

/** Fetches and saves; returns the message to show when it is done, or the failure that ended it. */
export type ExportWork = (
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
) => Promise<{ readonly ok: true; readonly say: Parameters<Toasts['show']>[0] } | Failure>

/** Runs one export at a time. `running` is its progress, or `undefined`. Leaving the page cancels it. */
export function useExport() {
  const t = useTexts(logTexts)
  const toasts = useToasts()
  const tell = useTellFailure()
  const controller = useRef<AbortController>(null)
  const [running, setRunning] = useState<ExportProgress>()
  useEffect(() => () => controller.current?.abort(), [])

  const start = async (work: ExportWork) => {
    const { signal } = (controller.current = new AbortController())
    setRunning({ done: 0, total: 0 })
    const result = await work(signal, setRunning)
    setRunning(undefined)
    if (result.ok) toasts.show(result.say)
    else tell(t.exportFailed, result)
  }
  return { running, start, cancel: () => controller.current?.abort() }
}
