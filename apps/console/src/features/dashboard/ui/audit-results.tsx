import type { InvariantResult } from '@sluice/contract/ledger-check'
import { formatLatency } from '~/lib/format/latency.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { statementOf, wrongFirst } from '../model/audit.ts'
import { auditTexts } from '../texts/audit-texts.ts'

/** Every promise of the ledger with the rows that were checked and the time it took; broken ones first, with their row. */
export function AuditResults({ results }: { results: readonly InvariantResult[] }) {
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
