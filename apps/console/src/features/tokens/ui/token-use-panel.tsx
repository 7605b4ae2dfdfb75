import { type Token, TOKEN_STATUS } from '@sluice/contract/token'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { baseUrlOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { buttonClass } from '~/ui/button.tsx'
import { CopyValue } from '~/ui/copy-value.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel } from '~/ui/panel.tsx'
import { useUsedBefore } from '~/ui/quota/use-used-before.ts'
import { Skeleton } from '~/ui/skeleton.tsx'
import { SnippetTabs } from '~/ui/snippets/snippet-tabs.tsx'
import { firstRequest } from '~/ui/snippets/snippets.ts'
import { availableModelsQuery, tokenQuery } from '../calls.ts'
import { tokenTexts } from '../texts/token-texts.ts'
import { ClientSetup } from './client-setup.tsx'
import { FirstCall } from './first-call.tsx'
import { useTokenLabel } from './use-token-actions.ts'

/** Shown while the available models are unknown. */
const EXAMPLE_MODEL = 'gpt-5-mini'

/** Key, base URL and a first request in three languages, plus client set-ups; opens after a token was created and from the list. */
export function TokenUsePanel({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useTexts(tokenTexts)
  const label = useTokenLabel()
  const query = useQuery(tokenQuery(useCall(), id))
  const name = label(query.data ?? { id, name: '' })
  return (
    <Panel
      title={t.usePanelTitle(name)}
      onClose={onClose}
      footer={
        query.data?.status === TOKEN_STATUS.enabled ? (
          <Link to="/chat" search={{ token: String(id) }} className={buttonClass()}>
            {t.tryIt}
          </Link>
        ) : undefined
      }
    >
      {query.isError && <Notice tone="bad">{t.loadFailed}</Notice>}
      {query.isPending && <Skeleton className="h-64 w-full" />}
      {query.data !== undefined && <Instructions token={query.data} />}
    </Panel>
  )
}

function Instructions({ token }: { token: Token }) {
  const t = useTexts(tokenTexts)
  const { server_address } = useSystemStatus()
  const before = useUsedBefore(token)
  const models = useQuery(availableModelsQuery(useCall(), token.groups)).data
  const model = token.models?.split(',')[0] || models?.[0] || EXAMPLE_MODEL
  const baseUrl = baseUrlOf(server_address)
  return (
    <div className="flex flex-col gap-5">
      <p className="text-muted text-sm">{t.useIntro}</p>
      <CopyValue label={t.baseUrl} text={baseUrl} copyLabel={t.copyBaseUrl} />
      <CopyValue label={t.key} text={token.key} copyLabel={t.copyKey} />
      <Notice tone="info">{t.keepSecret}</Notice>
      <FirstCall id={token.id} />
      {before !== undefined && (
        <p className="text-muted text-sm">
          {before.name}: {before.text}
        </p>
      )}
      <SnippetTabs parts={{ baseUrl, key: token.key, body: firstRequest(model) }} />
      <ClientSetup parts={{ origin: baseUrl.replace(/\/v1$/, ''), key: token.key, model }} />
    </div>
  )
}
