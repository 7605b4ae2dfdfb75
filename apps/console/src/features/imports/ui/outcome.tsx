import type { ImportRun } from '@sluice/contract/import'
import { Link } from '@tanstack/react-router'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Notice } from '~/ui/notice.tsx'
import { changesIn } from '../model/comparison.ts'
import { importTexts } from '../texts/import-texts.ts'

/** How a run ended, and what stands against it. */
export function Outcome({ run }: { run: ImportRun }) {
  const t = useTexts(importTexts)
  const { report } = run
  const isGood = run.outcome === 'done'
  return (
    <div className="flex flex-col gap-3">
      <Notice tone={isGood ? 'good' : run.outcome === 'stopped' ? 'info' : 'bad'}>
        <p className="font-medium">{useSentence(run)}</p>
        {report !== null && report.refused.length > 0 && (
          <ul className="mt-1 list-disc ps-5">
            {report.refused.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {report === null && <p>{t.outcome.noReport}</p>}
      </Notice>
      {isGood && report !== null && <Changes report={report} />}
      {isGood && run.mode === 'import' && (
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm print:hidden">
          <Link to="/users" className="text-accent underline">
            {t.report.users}
          </Link>
          <Link to="/channels" className="text-accent underline">
            {t.report.channels}
          </Link>
        </p>
      )}
    </div>
  )
}

function useSentence({ mode, outcome }: ImportRun): string {
  const t = useTexts(importTexts).outcome
  const isCheck = mode === 'check'
  switch (outcome) {
    case 'done':
      return isCheck ? t.checkDone : t.importDone
    case 'refused':
      return isCheck ? t.checkRefused : t.importRefused
    case 'stopped':
      return isCheck ? t.checkStopped : t.stopped
    default:
      return isCheck ? t.checkFailed : t.failed
  }
}

function Changes({ report }: { report: NonNullable<ImportRun['report']> }) {
  const t = useTexts(importTexts).changes
  const { added, changed, unchanged } = changesIn(report)
  const [isNew, isChanged, isSame] = [added, changed, unchanged].map(formatCount)
  return (
    <p className="text-sm">
      {changed + unchanged === 0 ? t.first(isNew ?? '') : t.again(isNew ?? '', isChanged ?? '', isSame ?? '')}
    </p>
  )
}
