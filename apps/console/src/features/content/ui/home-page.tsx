import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/session.ts'
import { baseUrlOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { CopyValue } from '~/ui/copy-button.tsx'
import { Page } from '~/ui/page.tsx'
import { contentKind, RichContent } from '~/ui/rich-content/rich-content.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { SnippetTabs } from '~/ui/snippets/snippet-tabs.tsx'
import { firstRequest } from '~/ui/snippets/snippets.ts'
import { homeContentQuery, storedHomeContent, offeredModelsQuery } from '../calls.ts'
import { contentTexts } from '../texts/content-texts.ts'

/** The operators' content: first the version of the last visit, then the current one; a welcome page if there is none. */
export function HomePage() {
  const t = useTexts(contentTexts)
  const [stored] = useState(() => storedHomeContent().read())
  const query = useQuery(homeContentQuery(useCall()))
  const text = query.data ?? stored
  if (text === undefined && query.isPending) {
    return (
      <Page title={t.home} width="wide">
        <Skeleton className="h-64 w-full" />
      </Page>
    )
  }
  if (text === undefined || contentKind(text) === 'empty') return <Welcome />
  return (
    <Page title={t.home} width={contentKind(text) === 'page' ? 'full' : 'wide'}>
      <RichContent text={text} />
    </Page>
  )
}

const EXAMPLE_KEY = 'sk-your-token'
/** Shown while the available models are unknown. */
const EXAMPLE_MODEL = 'gpt-5-mini'

const LINKS = [
  { id: 'token', to: '/tokens/add' },
  { id: 'models', to: '/models' },
  { id: 'usage', to: '/dashboard' },
  { id: 'logs', to: '/logs' },
  { id: 'topup', to: '/topup' },
  { id: 'status', to: '/status' },
] as const

function Welcome() {
  const t = useTexts(contentTexts)
  const { system_name, server_address } = useSystemStatus()
  const models = useQuery(offeredModelsQuery(useCall())).data
  const canChange = useCan('settings.manage')
  const baseUrl = baseUrlOf(server_address)
  return (
    <Page title={t.welcome(system_name)} subtitle={t.welcomeText} width="wide">
      <div className="grid gap-6 lg:grid-cols-2">
        <section className="border-line bg-surface flex min-w-0 flex-col gap-4 rounded-lg border p-4 md:p-5">
          <CopyValue label={t.baseUrl} text={baseUrl} copyLabel={t.copyBaseUrl} />
          <SnippetTabs parts={{ baseUrl, key: EXAMPLE_KEY, body: firstRequest(models?.[0] ?? EXAMPLE_MODEL) }} />
          <p className="text-muted text-xs">{t.keyHint}</p>
        </section>
        <nav aria-label={t.whereTo}>
          <ul className="grid gap-3 sm:grid-cols-2">
            {LINKS.map(({ id, to }) => (
              <li key={id}>
                <Link
                  to={to}
                  className="border-line bg-surface hover:bg-hover flex h-full flex-col gap-1 rounded-lg border p-4"
                >
                  <span className="font-medium">{t.links[id].title}</span>
                  <span className="text-muted text-sm">{t.links[id].text}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      {canChange && <p className="text-muted text-sm">{t.ownContent}</p>}
    </Page>
  )
}
