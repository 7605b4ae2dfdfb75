import { REDEMPTION_STATUS, type Redemption } from '@sluice/contract/redemption'
import { deleteRedemption, updateRedemption } from '@sluice/contract/routes/redemptions'
import { useQueryClient } from '@tanstack/react-query'
import { formatCount } from '../../../lib/format/quota.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { BulkButton } from '../../../ui/table/bulk-button.tsx'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { saveCodes } from './made-codes-dialog.tsx'

interface BulkProps {
  readonly redemptions: readonly Redemption[]
  readonly clear: () => void
}

/** What can be done to the selected codes; used ones keep their status, and are counted. */
export function RedemptionBulkActions({ redemptions, clear }: BulkProps) {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  const cache = useQueryClient()
  const open = redemptions.filter(({ status }) => status !== REDEMPTION_STATUS.used)
  const codes = redemptions.map(({ key }) => key).filter((key) => key !== '')
  const [first] = redemptions
  const oneName = redemptions.every(({ name }) => name === first?.name) ? (first?.name ?? '') : ''
  const onDone = () => {
    clear()
    void cache.invalidateQueries({ queryKey: ['redemptions'] })
  }
  const setStatus =
    (status: 1 | 2) =>
    async ({ id }: Redemption) =>
      (await call(updateRedemption, { query: { status_only: 'true' }, body: { id, status } })).ok
  const remove = async ({ id }: Redemption) => (await call(deleteRedemption, { params: { id } })).ok
  return (
    <>
      {open.length < redemptions.length && (
        <span className="text-muted text-sm">{t.usedRows(formatCount(redemptions.length - open.length))}</span>
      )}
      <CopyButton text={codes.join('\n')} label={t.copyCodes} wide />
      <Button size="small" onClick={() => saveCodes(oneName, codes)}>
        {t.download}
      </Button>
      {open.length > 0 && (
        <>
          <BulkButton label={t.enable} rows={open} act={setStatus(REDEMPTION_STATUS.unused)} onDone={onDone} />
          <BulkButton label={t.disable} rows={open} act={setStatus(REDEMPTION_STATUS.disabled)} onDone={onDone} />
        </>
      )}
      <BulkButton
        label={t.delete}
        rows={redemptions}
        act={remove}
        onDone={onDone}
        question={{
          title: t.deleteManyTitle,
          text: t.deleteManyText(formatCount(redemptions.length)),
          confirm: t.delete,
          danger: true,
        }}
      />
    </>
  )
}
