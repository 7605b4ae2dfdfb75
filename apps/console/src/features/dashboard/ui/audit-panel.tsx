import {
  LEDGER_CHECK_MODES,
  type LedgerCheck,
  type InvariantResult,
  type LedgerCheckMode,
} from '@sluice/contract/ledger-check'
import { startLedgerCheck } from '@sluice/contract/routes/ledger'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { formatLatency } from '~/lib/format/units.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel } from '~/ui/panel.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { useChange } from '~/ui/use-change.ts'
import { LEDGER_CHECKS, ledgerChecksQuery } from '../calls.ts'
import { toneOf, statementOf, wrongFirst } from '../model/audit.ts'
import { auditTexts } from '../texts/audit-texts.ts'

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

function AuditFacts({ check }: { check: LedgerCheck }) {
  const t = useTexts(auditTexts)
  return (
    <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
      <dt className="text-muted">{t.started}</dt>
      <dd>
        {formatDateTime(check.started_at)} (<Time at={check.started_at} />)
      </dd>
      <dt className="text-muted">{t.by}</dt>
      <dd className="wrap-anywhere">
        <StartedBy check={check} />
      </dd>
      <dt className="text-muted">{t.took}</dt>
      <dd className="tabular-nums">{formatLatency(check.elapsed_ms)}</dd>
      <dt className="text-muted">{t.counted}</dt>
      <dd>{check.rows_since === 0 ? t.allRows : t.rowsSince(formatDateTime(check.rows_since))}</dd>
    </dl>
  )
}

function EarlierAudits({ checks }: { checks: readonly LedgerCheck[] }) {
  const t = useTexts(auditTexts)
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {checks.map((check) => (
        <li key={check.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={toneOf(check)}>{t.outcomes[check.outcome]}</Badge>
          <span className="tabular-nums">{formatDateTime(check.started_at)}</span>
          <span className="text-muted">
            {t.modes[check.mode]} · <StartedBy check={check} /> · {formatLatency(check.elapsed_ms)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function StartedBy({ check }: { check: LedgerCheck }) {
  const t = useTexts(auditTexts)
  if (check.started_by === 0) return t.nightly
  return check.started_by_name === '' ? t.userNumber(check.started_by) : check.started_by_name
}

function AuditResults({ results }: { results: readonly InvariantResult[] }) {
  const t = useTexts(auditTexts)
  return (
    <ol className="flex flex-col gap-3.5">
      {wrongFirst(results).map((result) => (
        <li key={result.id} className="grid grid-cols-[2.5rem_minmax(0,1fr)_auto] gap-x-2 gap-y-1 text-sm">
          <span className="text-muted font-mono text-xs leading-5">{result.id}</span>
          <span>{statementOf(result, t.statements)}</span>
          <Badge tone={result.first_wrong === null ? 'good' : 'bad'}>
            {result.first_wrong === null ? t.holds : t.broken}
          </Badge>
          <span className="text-muted col-start-2 text-xs tabular-nums">
            {t.rows(formatCount(result.checked))} · {formatLatency(result.elapsed_ms)}
            {result.recounted && ` · ${t.recounted}`}
          </span>
          {result.first_wrong !== null && <WrongRow id={result.id} row={result.first_wrong} />}
        </li>
      ))}
    </ol>
  )
}

function WrongRow({ id, row }: { id: string; row: NonNullable<InvariantResult['first_wrong']> }) {
  const t = useTexts(auditTexts)
  return (
    <div className="bg-bad-soft col-span-3 mt-1 rounded-md px-3 py-2">
      <p className="text-bad mb-1.5 text-xs font-semibold">{t.firstWrong}</p>
      <dl
        aria-label={`${t.firstWrong} ${id}`}
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-xs"
      >
        {Object.entries(row).map(([column, value]) => (
          <div key={column} className="contents">
            <dt className="text-muted">{column}</dt>
            <dd className="wrap-anywhere tabular-nums">{value ?? t.empty}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted mt-1.5 text-xs">{t.amounts}</p>
    </div>
  )
}

/** Pause between two polls while a verification runs, in milliseconds. */
const LOOK_MS = 1_000

function useLedgerCheck() {
  const t = useTexts(auditTexts)
  const call = useCall()
  const checks = useQuery({
    ...ledgerChecksQuery(call),
    refetchInterval: ({ state }) => (runningMode(state.data) === undefined ? false : LOOK_MS),
  })
  const starting = useChange({
    send: (mode: LedgerCheckMode) => call(startLedgerCheck, { body: { mode } }),
    failed: t.startFailed,
    // Refetched even after a refusal, which means that another user's verification is running.
    stale: [LEDGER_CHECKS],
  })
  const underWay = starting.busy ? starting.input : runningMode(checks.data)
  return { checks, underWay, start: starting.run }
}

function runningMode(checks: readonly LedgerCheck[] | undefined): LedgerCheckMode | undefined {
  const latest = checks?.[0]
  return latest?.outcome === 'running' ? latest.mode : undefined
}
