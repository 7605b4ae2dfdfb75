import { LEDGER_CHECK_MODES, type LedgerCheck } from '@sluice/contract/ledger-check'
import { type ReactNode, useId } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel } from '~/ui/panel.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { auditTexts } from '../texts/audit-texts.ts'
import { AuditFacts, EarlierAudits } from './audit-facts.tsx'
import { AuditResults } from './audit-results.tsx'
import { useLedgerCheck } from './use-ledger-check.ts'

/** Runs the verification of the ledger and shows what was found: each promise of the ledger, and the first row that breaks it. */
export function AuditPanel({ onClose }: { onClose: () => void }) {
  const t = useTexts(auditTexts)
  const { checks, underWay, start } = useLedgerCheck()
  return (
    <Panel title={t.title} onClose={onClose}>
      <p className="text-muted text-sm">{t.intro}</p>
      <div className="my-4 flex flex-wrap gap-2">
        {LEDGER_CHECK_MODES.map((mode) => (
          <Button
            key={mode}
            variant={mode === 'incremental' ? 'primary' : 'secondary'}
            busy={underWay === mode}
            disabled={underWay !== undefined && underWay !== mode}
            onClick={() => void start(mode)}
          >
            {t.start[mode]}
          </Button>
        ))}
      </div>
      {checks.isPending && <Loading />}
      <LoadFailure query={checks} text={t.loadFailed} />
      {checks.data !== undefined && <Audits checks={checks.data} />}
    </Panel>
  )
}

function Audits({ checks }: { checks: readonly LedgerCheck[] }) {
  const t = useTexts(auditTexts)
  const [latest, ...earlier] = checks
  if (latest === undefined) return <Notice tone="info">{t.never}</Notice>
  const tone = latest.outcome === 'sound' ? 'good' : latest.outcome === 'running' ? 'info' : 'bad'
  return (
    <>
      <Notice tone={tone}>{t.verdicts[latest.outcome]}</Notice>
      <Section title={t.last}>
        <AuditFacts check={latest} />
      </Section>
      {latest.results.length > 0 && (
        <Section title={t.results}>
          <AuditResults results={latest.results} />
        </Section>
      )}
      {earlier.length > 0 && (
        <Section title={t.earlier}>
          <EarlierAudits checks={earlier} />
        </Section>
      )}
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="border-line border-b py-4 last:border-b-0">
      <h3 id={titleId} className="mb-2.5 font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

function Loading() {
  const t = useTexts(auditTexts)
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="text-muted text-sm">{t.loading}</span>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="h-4 w-full" />
      ))}
    </div>
  )
}
