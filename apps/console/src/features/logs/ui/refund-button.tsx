import type { Receipt } from '@sluice/contract/receipt'
import { useEffect, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/use-session.ts'
import { Button } from '~/ui/button.tsx'
import { compareExact } from '../model/receipt/exact.ts'
import { receiptTexts } from '../texts/receipt-texts.ts'
import { RefundDialog } from './refund-dialog.tsx'

/** Opens the dialog for a refund. For administrators, while there is something left to refund. */
export function RefundButton({ receipt }: { receipt: Receipt }) {
  const canRefund = useCan('logs.refund')
  const isRefundable = receipt.log_id > 0 && !receipt.missing.includes('transfer') && compareExact(receipt.net, '0') > 0
  if (!canRefund || !isRefundable) return null
  return <Refund receipt={receipt} />
}

function Refund({ receipt }: { receipt: Receipt }) {
  const t = useTexts(receiptTexts)
  const [isOpen, setIsOpen] = useState(false)
  // The button disappears once the last point is refunded; the focus then moves to the title of the panel.
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
