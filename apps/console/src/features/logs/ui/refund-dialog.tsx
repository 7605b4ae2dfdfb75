import { refundCharge } from '@sluice/contract/routes/receipts'
import { useQueryClient } from '@tanstack/react-query'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useSubmitFailure } from '~/ui/form/submit-failure.ts'
import { TextAreaField } from '~/ui/form/text-area-field.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { LOGS } from '../calls.ts'
import { formatExact } from '../model/receipt/exact.ts'
import { refundSchema } from '../model/receipt/refund-values.ts'
import { receiptTexts } from '../texts/receipt-texts.ts'

interface RefundDialogProps {
  /** Log row of the charge. */
  readonly id: number
  /** What is left of it to refund, as exact decimal text. */
  readonly left: string
  readonly onClose: () => void
}

/** Asks how much to refund, and why. */
export function RefundDialog({ id, left, onClose }: RefundDialogProps) {
  const t = useTexts(receiptTexts)
  const call = useCall()
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const failed = useSubmitFailure(t.refundFailed)
  const entry = useSchemaForm(refundSchema(t, left), { amount: left, reason: '' }, async (body) => {
    const reply = await call(refundCharge, { params: { id }, body })
    if (!reply.ok) return failed(reply)
    toasts.show({ tone: 'good', title: t.refunded(formatExact(reply.data.refunded)) })
    // The receipt, and the row that informs the user of the refund.
    await queryClient.invalidateQueries({ queryKey: LOGS })
    onClose()
    return ''
  })
  return (
    <FormDialog
      title={t.refundTitle}
      text={t.refundText(formatExact(left))}
      form={entry}
      submit={t.confirmRefund}
      busyLabel={t.refunding}
      onClose={onClose}
    >
      <TextField
        control={entry.form.control}
        name="amount"
        label={t.amount}
        hint={t.amountHint}
        inputMode="decimal"
        autoComplete="off"
        data-first-focus
      />
      <TextAreaField control={entry.form.control} name="reason" label={t.reason} hint={t.reasonHint} rows={2} />
    </FormDialog>
  )
}
