import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/session.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { ledgerChecksQuery } from '../calls.ts'
import { isLedgerWrong } from '../model/audit.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'

// Only root ever opens it.
const AuditPanel = lazy(async () => ({ default: (await import('./audit-panel.tsx')).AuditPanel }))

interface AuditButtonProps {
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

export function AuditButton(props: AuditButtonProps) {
  return useCan('ledger.verify') ? <AuditOf {...props} /> : null
}

function AuditOf({ open, onOpen }: AuditButtonProps) {
  const t = useTexts(dashboardTexts)
  const { data } = useQuery(ledgerChecksQuery(useCall()))
  return (
    <>
      {data !== undefined && isLedgerWrong(data) && <Badge tone="bad">{t.ledgerWrong}</Badge>}
      <Button aria-haspopup="dialog" aria-expanded={open} onClick={() => onOpen(!open)}>
        {t.audit}
      </Button>
      {open && (
        <Suspense>
          <AuditPanel onClose={() => onOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
