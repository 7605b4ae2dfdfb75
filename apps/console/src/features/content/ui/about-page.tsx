import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { buttonClass } from '~/ui/button.tsx'
import { CheckIcon } from '~/ui/icon.tsx'
import { LoadNotice } from '~/ui/load-failure.tsx'
import { Page } from '~/ui/page.tsx'
import { contentKind, RichContent } from '~/ui/rich-content/rich-content.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { aboutContentQuery } from '../calls.ts'
import { contentTexts } from '../texts/content-texts.ts'

export function AboutPage() {
  const t = useTexts(contentTexts)
  const query = useQuery(aboutContentQuery(useCall()))
  const { data, isPending } = query
  const kind = contentKind(data ?? '')
  return (
    <Page title={t.about} width={kind === 'page' ? 'full' : 'narrow'}>
      {isPending && <Skeleton className="h-48 w-full" />}
      <LoadNotice query={query} text={t.aboutFailed} />
      {data !== undefined && (kind === 'empty' ? <DefaultAbout /> : <RichContent text={data} />)}
    </Page>
  )
}

function DefaultAbout() {
  const t = useTexts(contentTexts)
  const { system_name } = useSystemStatus()
  return (
    <>
      <p>{t.aboutText(system_name)}</p>
      <section className="border-line bg-surface rounded-lg border p-4 md:p-5">
        <h2 className="mb-3 font-semibold">{t.features}</h2>
        <ul className="flex flex-col gap-2">
          {Object.entries(t.featureList).map(([id, text]) => (
            <li key={id} className="flex gap-2.5">
              <span className="text-good mt-1">
                <CheckIcon />
              </span>
              <span className="min-w-0">{text}</span>
            </li>
          ))}
        </ul>
      </section>
      <div>
        <Link to="/models" className={buttonClass('secondary')}>
          {t.aboutModels}
        </Link>
      </div>
    </>
  )
}
