import { type Redemption, REDEMPTION_STATUS } from '@sluice/contract/redemption'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { CopyButton } from '~/ui/copy-button.tsx'
import { BulkChanges } from '~/ui/table/bulk-changes.tsx'
import { redemptionChanges } from '../calls.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { saveCodes } from './made-codes-dialog.tsx'

interface BulkProps {
  readonly redemptions: readonly Redemption[]
  readonly clear: () => void
}

/** The actions on the selected codes; used ones keep their status, and are counted. */
export function RedemptionBulkActions({ redemptions, clear }: BulkProps) {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  const open = redemptions.filter(({ status }) => status !== REDEMPTION_STATUS.used)
  const codes = redemptions.map(({ key }) => key).filter((key) => key !== '')
  const [first] = redemptions
  const oneName = redemptions.every(({ name }) => name === first?.name) ? (first?.name ?? '') : ''
  return (
    <>
      {open.length < redemptions.length && (
        <span className="text-muted text-sm">{t.usedRows(formatCount(redemptions.length - open.length))}</span>
      )}
      <CopyButton text={codes.join('\n')} label={t.copyCodes} wide />
      <Button size="small" onClick={() => saveCodes(oneName, codes)}>
        {t.download}
      </Button>
      <BulkChanges
        area="redemptions"
        calls={redemptionChanges(call)}
        rows={redemptions}
        switched={open}
        clear={clear}
        texts={t}
      />
    </>
  )
}
