import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../../../lib/dom/save-file.ts'
import { formatCount } from '../../../lib/format/quota.ts'
import { isWorthTelling } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { fetchLogs, type LogListSearch } from '../api/log-list.ts'
import { collectLogs, EXPORT_PAGE_SIZE, EXPORT_ROWS_MAX, type ExportProgress } from '../model/export-logs.ts'
import { csvFileName, logCsv } from '../model/log-csv.ts'
import { logWindow } from '../model/log-window.ts'
import { logTexts } from '../texts/log-texts.ts'
import { useTypeName } from './log-cells.tsx'

/** `running` is how far an export is, or `undefined`. Leaving the page cancels it. */
export function useLogExport(search: LogListSearch, seesAll: boolean) {
  const t = useTexts(logTexts)
  const call = useCall()
  const toasts = useToasts()
  const typeName = useTypeName()
  const controller = useRef<AbortController>(null)
  const [running, setRunning] = useState<ExportProgress>()
  useEffect(() => () => controller.current?.abort(), [])

  const start = async () => {
    const now = Date.now()
    const window = logWindow(search, now)
    // Rows that are written meanwhile would push others from page to page.
    const frozen = { ...search, ...window, end: Math.min(window.end, Math.floor(now / 1_000)), size: EXPORT_PAGE_SIZE }
    const { signal } = (controller.current = new AbortController())
    setRunning({ done: 0, total: 0 })
    const collected = await collectLogs((p) => fetchLogs(call, { ...frozen, p }, seesAll, now, signal), setRunning)
    setRunning(undefined)
    if (collected.ok) {
      saveFile(csvFileName(new Date(now)), logCsv(collected.rows, typeName), 'text/csv;charset=utf-8')
      const limited = collected.rows.length >= EXPORT_ROWS_MAX
      const count = formatCount(collected.rows.length)
      toasts.show(limited ? { tone: 'info', title: t.exportLimit(count) } : { tone: 'good', title: t.exported(count) })
    } else if (isWorthTelling(collected)) {
      toasts.show({ tone: 'bad', title: t.exportFailed, ...(collected.message !== '' && { text: collected.message }) })
    }
  }
  return { running, start, cancel: () => controller.current?.abort() }
}
