import type { LedgerCheck } from '@sluice/contract/ledger-check'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatLatency } from '~/lib/format/latency.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Time } from '~/ui/time.tsx'
import { toneOf } from '../model/audit.ts'
import { auditTexts } from '../texts/audit-texts.ts'

/** When, by whom, how long, and how much was counted. */
export function AuditFacts({ check }: { check: LedgerCheck }) {
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

export function EarlierAudits({ checks }: { checks: readonly LedgerCheck[] }) {
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
