import { REDEMPTION_STATUS, type Redemption } from '@sluice/contract/redemption'
import { deleteRedemption, updateRedemption } from '@sluice/contract/routes/redemptions'
import { useQueryClient } from '@tanstack/react-query'
import { type Failure, isWorthTelling } from '../../../lib/http/call.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useConfirm } from '../../../ui/confirm.tsx'
import { useToasts } from '../../../ui/toast/toasts.ts'
import { REDEMPTION_LISTS, type RedemptionPage } from '../api/redemption-list.ts'
import { toggledStatus } from '../model/redemption-status.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'

/** Long enough to read it and to reach for Undo, in milliseconds. */
const UNDO_TOAST_MS = 6_000

/** What the list can do to its codes. */
export interface RedemptionActions {
  /** Goes between unused and disabled: at once in the list, taken back on refusal, with Undo. A used code stays. */
  readonly toggle: (redemption: Redemption) => Promise<void>
  /** Deletes after a confirmation. */
  readonly remove: (redemption: Redemption) => void
}

export function useRedemptionActions(): RedemptionActions {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const confirm = useConfirm()

  const tell = (title: string, failure: Failure) => {
    if (!isWorthTelling(failure)) return
    toasts.show({ tone: 'bad', title, ...(failure.message !== '' && { text: failure.message }) })
  }

  const setStatus = async ({ id, name }: Redemption, status: 1 | 2, undo?: () => void) => {
    await cache.cancelQueries({ queryKey: REDEMPTION_LISTS })
    const before = cache.getQueriesData<RedemptionPage>({ queryKey: REDEMPTION_LISTS })
    cache.setQueriesData<RedemptionPage>({ queryKey: REDEMPTION_LISTS }, (page) => withStatus(page, id, status))
    const reply = await call(updateRedemption, { query: { status_only: 'true' }, body: { id, status } })
    if (reply.ok) {
      const title = status === REDEMPTION_STATUS.unused ? t.enabledNow : t.disabledNow
      const way = undo && { action: { label: t.undo, run: undo }, duration: UNDO_TOAST_MS }
      toasts.show({ tone: 'good', title, text: name, ...way })
    } else {
      for (const [key, page] of before) cache.setQueryData(key, page)
      tell(t.statusFailed, reply)
    }
    await cache.invalidateQueries({ queryKey: ['redemptions'] })
  }

  const toggle = async (redemption: Redemption) => {
    const next = toggledStatus(redemption.status)
    if (next === undefined) return
    const back = next === REDEMPTION_STATUS.unused ? REDEMPTION_STATUS.disabled : REDEMPTION_STATUS.unused
    await setStatus(redemption, next, () => void setStatus(redemption, back))
  }

  const removeNow = async ({ id, name }: Redemption) => {
    const reply = await call(deleteRedemption, { params: { id } })
    if (reply.ok) toasts.show({ tone: 'good', title: t.deleted, text: name })
    else tell(t.deleteFailed, reply)
    await cache.invalidateQueries({ queryKey: ['redemptions'] })
  }

  return {
    toggle,
    remove: (redemption) =>
      confirm({
        title: t.deleteTitle,
        text: (redemption.status === REDEMPTION_STATUS.used ? t.deleteUsedText : t.deleteText)(redemption.name),
        confirm: t.delete,
        busy: t.deleteBusy,
        danger: true,
        run: () => removeNow(redemption),
      }),
  }
}

function withStatus(page: RedemptionPage | undefined, id: number, status: number): RedemptionPage | undefined {
  return page && { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, status } : row)) }
}
