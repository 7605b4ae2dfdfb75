import type { Finding, Severity } from '@sluice/contract/doctor'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, type MouseEvent } from 'react'
import { useCommand } from '~/lib/commands.ts'
import { useCall } from '~/lib/http/call.ts'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { BASE_PATH } from '~/lib/navigation/base-path.ts'
import { Badge, type Tone } from '~/ui/badge.tsx'
import { Button, buttonClass } from '~/ui/button.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { doctorQuery } from '../calls.ts'
import { doctorTexts } from '../texts/doctor-texts.ts'

/** The most urgent first; what is in order stays folded. */
const ORDER: readonly Severity[] = ['problem', 'warning', 'note', 'ok']

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
      {/* As high while loading as with the usual findings, so that the footer does not jump. */}
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

/** The gateway writes findings in the language of the call, so another language needs another call. */
function useTextsOfLanguage(again: () => void): void {
  const locale = useLocale()
  const shown = useRef(locale)
  useEffect(() => {
    if (shown.current === locale) return
    shown.current = locale
    again()
  })
}

const TONES: Readonly<Record<Severity, Tone>> = { problem: 'bad', warning: 'warn', note: 'neutral', ok: 'good' }

interface FindingGroupProps {
  readonly severity: Severity
  readonly findings: readonly Finding[]
}

function FindingGroup({ severity, findings }: FindingGroupProps) {
  const t = useTexts(doctorTexts)
  if (findings.length === 0) return null
  const heading = `${t.severities[severity]} (${findings.length})`
  const list = (
    <ul className="divide-line divide-y">
      {findings.map((finding, at) => (
        <FindingItem key={`${finding.id} ${at}`} finding={finding} />
      ))}
    </ul>
  )
  const frame = 'border-line bg-surface rounded-lg border'
  if (severity === 'ok') {
    return (
      <details className={frame}>
        <summary className="px-4 py-3 text-base font-semibold md:px-5">{heading}</summary>
        <div className="border-line border-t">{list}</div>
      </details>
    )
  }
  return (
    <section aria-labelledby={`doctor-${severity}`} className={frame}>
      <h2 id={`doctor-${severity}`} className="border-line border-b px-4 py-3 text-base font-semibold md:px-5">
        {heading}
      </h2>
      {list}
    </section>
  )
}

function FindingItem({ finding: { severity, title, finding, remedy, link } }: { readonly finding: Finding }) {
  const t = useTexts(doctorTexts)
  return (
    <li className="flex flex-col gap-2 px-4 py-3.5 wrap-anywhere md:px-5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={TONES[severity]}>{t.one[severity]}</Badge>
        <span className="text-muted text-sm font-medium">{title}</span>
      </div>
      <p className="text-sm">{finding}</p>
      {remedy !== '' && <p className="text-muted text-sm">{remedy}</p>}
      {isOwnPath(link) && (
        <div>
          <PageLink to={link} label={t.openFor(title)}>
            {t.open}
          </PageLink>
        </div>
      )}
    </li>
  )
}

/** A path of this console, whatever the server sent. */
const isOwnPath = (link: string): boolean => /^\/(?![/\\])/.test(link)

function PageLink({ to, label, children }: { readonly to: string; readonly label: string; readonly children: string }) {
  const router = useRouter()
  const follow = (event: MouseEvent) => {
    // The browser opens the link in another tab or window if that was asked for.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate({ href: to })
  }
  return (
    <a href={BASE_PATH + to} aria-label={label} onClick={follow} className={buttonClass('secondary', 'small')}>
      {children}
    </a>
  )
}
