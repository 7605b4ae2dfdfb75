import type { Finding, Severity } from '@sluice/contract/doctor'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { BASE_PATH } from '~/lib/navigation/base-path.ts'
import { Badge, type Tone } from '~/ui/badge.tsx'
import { buttonClass } from '~/ui/button.tsx'
import { doctorTexts } from '../texts/doctor-texts.ts'

const TONES: Readonly<Record<Severity, Tone>> = { problem: 'bad', warning: 'warn', note: 'neutral', ok: 'good' }

interface FindingGroupProps {
  readonly severity: Severity
  readonly findings: readonly Finding[]
}

/** The findings of one severity; what is in order is folded until somebody wants to see it. */
export function FindingGroup({ severity, findings }: FindingGroupProps) {
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
    // The browser opens it elsewhere if that is what was asked for.
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
