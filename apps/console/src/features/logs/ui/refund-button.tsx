import { type Receipt, REFUND_REASON_MAX } from '@sluice/contract/receipt'
import { refundCharge } from '@sluice/contract/routes/receipts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/session.ts'
import { Button } from '~/ui/button.tsx'
import { FormDialog } from '~/ui/form/form-dialog.tsx'
import { TextField, TextAreaField } from '~/ui/form/form-fields.tsx'
import { useSubmitFailure, useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { LOGS } from '../calls.ts'
import { compareExact, formatExact, type ReceiptWords } from '../model/receipt/receipt-text.ts'
import { receiptTexts } from '../texts/receipt-texts.ts'

/** For administrators, while there is something left to refund. */
export function RefundButton({ receipt }: { receipt: Receipt }) {
  const canRefund = useCan('logs.refund')
  const isRefundable = receipt.log_id > 0 && !receipt.missing.includes('transfer') && compareExact(receipt.net, '0') > 0
  if (!canRefund || !isRefundable) return null
  return <Refund receipt={receipt} />
}

function Refund({ receipt }: { receipt: Receipt }) {
  const t = useTexts(receiptTexts)
  const [isOpen, setIsOpen] = useState(false)
  // The button disappears once the last point is refunded; the focus then moves to the panel's title.
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return
      document.querySelector<HTMLElement>('dialog[open] h2[tabindex]')?.focus()
    },
    [],
  )
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {t.refund}
      </Button>
      {isOpen && <RefundDialog id={receipt.log_id} left={receipt.net} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface RefundDialogProps {
  /** Log row of the charge. */
  readonly id: number
  /** What is left to refund, as exact decimal text. */
  readonly left: string
  readonly onClose: () => void
}

function RefundDialog({ id, left, onClose }: RefundDialogProps) {
  const t = useTexts(receiptTexts)
  const call = useCall()
  const toasts = useToasts()
  const queryClient = useQueryClient()
  const failed = useSubmitFailure(t.refundFailed)
  const entry = useSchemaForm(refundSchema(t, left), { amount: left, reason: '' }, async (body) => {
    const reply = await call(refundCharge, { params: { id }, body })
    if (!reply.ok) return failed(reply)
    toasts.show({ tone: 'good', title: t.refunded(formatExact(reply.data.refunded)) })
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

/** Accepts at most `left` points (exact decimal text). */
function refundSchema(t: ReceiptWords, left: string) {
  return v.object({
    amount: v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^\d{1,16}(\.\d{1,3})?$/, t.amountInvalid),
      v.check((amount) => compareExact(amount, '0') > 0, t.amountZero),
      v.check((amount) => compareExact(amount, left) <= 0, t.amountTooLarge(formatExact(left))),
    ),
    reason: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, t.reasonMissing),
      v.maxLength(REFUND_REASON_MAX, t.reasonTooLong(REFUND_REASON_MAX)),
    ),
  })
}
