import type { Finding, Severity } from '@sluice/contract/doctor'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { doctorQuery } from '../calls.ts'
import { doctorTexts } from '../texts/doctor-texts.ts'
import { FindingGroup } from './finding-group.tsx'

/** The most urgent first; what is in order stays folded. */
const ORDER: readonly Severity[] = ['problem', 'warning', 'note', 'ok']

/** What the doctor found, with what to do. */
export function DoctorPage() {
  const t = useTexts(doctorTexts)
  const query = useQuery(doctorQuery(useCall()))
  const { data, isFetching, refetch } = query
  useTextsOfLanguage(() => void refetch())
  useCommand({ id: 'doctor.run', label: t.runAgain, group: t.commands, keys: 'r', run: () => void refetch() })
  return (
    <Page
      width="wide"
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <Button busy={isFetching} onClick={() => void refetch()}>
          {t.runAgain}
        </Button>
      }
    >
      <p role="status" className="text-muted flex min-h-5 flex-wrap gap-x-2 text-sm">
        {isFetching ? t.running : data !== undefined && <Summary findings={data.findings} at={data.examined_at} />}
      </p>
      {/* As high while it loads as with what is usually found, so that the footer does not jump. */}
      <div className="flex min-h-[80dvh] flex-col gap-5">
        {query.isError ? (
          <LoadFailure query={query} text={t.failed} />
        ) : data === undefined ? (
          <Waiting />
        ) : (
          <>
            {ORDER.map((severity) => (
              <FindingGroup
                key={severity}
                severity={severity}
                findings={data.findings.filter((finding) => finding.severity === severity)}
              />
            ))}
            <p className="text-muted text-xs">{t.command}</p>
          </>
        )}
      </div>
    </Page>
  )
}

function Summary({ findings, at }: { readonly findings: readonly Finding[]; readonly at: number }) {
  const t = useTexts(doctorTexts)
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
  const [problems, warnings, notes] = [count('problem'), count('warning'), count('note')]
  return (
    <>
      <span>{problems + warnings + notes === 0 ? t.allWell : t.summary(problems, warnings, notes)}</span>
      <span>
        {t.examined} <Time at={at} />
      </span>
    </>
  )
}

function Waiting() {
  return (
    <div className="border-line bg-surface flex flex-col gap-5 rounded-lg border px-4 py-4 md:px-5">
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex flex-col gap-2">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      ))}
    </div>
  )
}

/** Findings are written by the gateway, in the language of the call: another one needs another call. */
function useTextsOfLanguage(again: () => void): void {
  const locale = useLocale()
  const shown = useRef(locale)
  useEffect(() => {
    if (shown.current === locale) return
    shown.current = locale
    again()
  })
}
