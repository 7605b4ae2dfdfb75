import { useEffect, useRef, useState } from 'react'
import { saveFile } from '~/lib/dom/save-file.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { type Failure, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type Toasts, useToasts } from '~/ui/toast/toasts.ts'
import { useTellFailure } from '~/ui/use-change.ts'
import { fetchCharges, fetchLogs, type LogListSearch } from '../calls.ts'
import {
  chargeFileNames,
  chargesCsv,
  collectCharges,
  collectLogs,
  EXPORT_PAGE_SIZE,
  EXPORT_ROWS_MAX,
  csvFileName,
  logCsv,
  type ExportProgress,
} from '../model/export/export-logs.ts'
import { logWindow } from '../model/filters/log-window.ts'
import { logTexts } from '../texts/log-texts.ts'
import { receiptTexts } from '../texts/receipt-texts.ts'
import { useTypeName } from './log-row.tsx'

/** Exports the rows that a search lists, or the charges behind them with their prices. */
export function useLogExport(search: LogListSearch, seesAll: boolean) {
  const t = useTexts(logTexts)
  const receipts = useTexts(receiptTexts)
  const call = useCall()
  const typeName = useTypeName()

  const rows: ExportWork = async (signal, onProgress) => {
    const { now, frozen } = freeze(search)
    const collected = await collectLogs((p) => fetchLogs(call, { ...frozen, p }, seesAll, now, signal), onProgress)
    if (!collected.ok) return collected
    saveFile(csvFileName(new Date(now)), logCsv(collected.rows, typeName), CSV)
    const limited = collected.rows.length >= EXPORT_ROWS_MAX
    const count = formatCount(collected.rows.length)
    return {
      ok: true,
      say: limited ? { tone: 'info', title: t.exportLimit(count) } : { tone: 'good', title: t.exported(count) },
    }
  }

  const charges: ExportWork = async (signal, onProgress) => {
    const { now, frozen } = freeze(search)
    const collected = await collectCharges((p) => fetchCharges(call, frozen, p, seesAll, now, signal), onProgress)
    if (!collected.ok) return collected
    const names = chargeFileNames(new Date(now))
    saveFile(names.charges, chargesCsv(collected.charges), CSV)
    saveFile(names.prices, `${JSON.stringify(collected.book, undefined, 2)}\n`, 'application/json')
    const say = receipts.exportedCharges(formatCount(collected.charges.length))
    const limit = t.exportLimit(formatCount(EXPORT_ROWS_MAX))
    return {
      ok: true,
      say: collected.leftOut > 0 ? { tone: 'info', title: limit, text: say } : { tone: 'good', title: say },
    }
  }
  return { rows, charges }
}

const CSV = 'text/csv;charset=utf-8'

/** Fixes the window: rows that are written meanwhile would push others from page to page. */
function freeze(search: LogListSearch) {
  const now = Date.now()
  const window = logWindow(search, now)
  const end = Math.min(window.end, Math.floor(now / 1_000))
  return { now, frozen: { ...search, ...window, end, size: EXPORT_PAGE_SIZE } }
}

/** Returns the message to show at the end, or the failure that ended the export. */
type ExportWork = (
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
