import { lazy, Suspense } from 'react'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useCan } from '../../../lib/session/use-session.ts'
import { Button } from '../../../ui/button.tsx'
import { dashboardTexts } from '../texts/dashboard-texts.ts'

// Root alone ever opens it.
const AuditPanel = lazy(async () => ({ default: (await import('./audit-panel.tsx')).AuditPanel }))

interface AuditButtonProps {
  /** Whether the address says that the panel is open. */
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

/** Opens the audit of the books, for who may have them verified; nothing for everybody else. */
export function AuditButton({ open, onOpen }: AuditButtonProps) {
  const t = useTexts(dashboardTexts)
  if (!useCan('ledger.verify')) return null
  return (
    <>
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
