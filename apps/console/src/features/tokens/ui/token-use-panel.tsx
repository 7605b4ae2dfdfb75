import { type Token, TOKEN_STATUS } from '@sluice/contract/token'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { baseUrlOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { buttonClass, Button } from '~/ui/button.tsx'
import { CopyButton, CopyValue } from '~/ui/copy-button.tsx'
import { Field, Select } from '~/ui/field.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel } from '~/ui/panel.tsx'
import { useUsedBefore } from '~/ui/quota/budget-meter.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { SnippetTabs } from '~/ui/snippets/snippet-tabs.tsx'
import { firstRequest } from '~/ui/snippets/snippets.ts'
import { availableModelsQuery, tokenQuery, firstCallQuery } from '../calls.ts'
import { ccSwitchLink, clientSetups, type SetupParts } from '../model/client-setups.ts'
import { tokenTexts } from '../texts/token-texts.ts'
import { useTokenLabel } from './token-cells.tsx'

/** Shown while the available models are unknown. */
const EXAMPLE_MODEL = 'gpt-5-mini'

/** Key, base URL, a first request in three languages, and client setups. Opens from the list and after a token was created. */
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

const LOOK_MS = 3_000
/** Half an hour of polling; a reader who still waits opens the panel again. */
const LOOKS_MAX = 600

function FirstCall({ id }: { id: number }) {
  const t = useTexts(tokenTexts)
  const { data } = useQuery({
    ...firstCallQuery(useCall(), id),
    refetchInterval: ({ state }) =>
      state.data?.called_time === 0 && state.dataUpdateCount < LOOKS_MAX ? LOOK_MS : false,
  })
  const isCalled = data !== undefined && data.called_time > 0
  const refusal = isCalled ? undefined : data?.refusal
  const [light, text] = isCalled
    ? ['bg-good', t.firstCallMade]
    : refusal === undefined
      ? ['bg-muted animate-pulse motion-reduce:animate-none', t.firstCallWaiting]
      : ['bg-bad', t.firstCallRefused]
  return (
    <div role="status" aria-live="polite" className="flex items-start gap-2 text-sm">
      {data !== undefined && (
        <>
          <span aria-hidden="true" className={`mt-1.5 size-2 shrink-0 rounded-full ${light}`} />
          <p className="min-w-0 break-words">
            {text}
            {refusal !== undefined && (
              <>
                {' '}
                <span lang="en">{refusal.message}</span>
              </>
            )}
          </p>
        </>
      )}
    </div>
  )
}

function ClientSetup({ parts }: { parts: SetupParts }) {
  const t = useTexts(tokenTexts)
  const setups = clientSetups(parts)
  const { system_name: name } = useSystemStatus()
  const [chosen, setChosen] = useState(0)
  const setup = setups[chosen]
  if (setup === undefined) return null
  const { ccSwitch: app } = setup
  return (
    <section aria-label={t.clientSetup} className="flex flex-col gap-2">
      <Field label={t.clientSetup}>
        {(control) => (
          <Select
            {...control}
            options={setups.map(({ name }, index) => ({ value: String(index), label: name }))}
            value={chosen}
            onChange={(event) => setChosen(Number(event.target.value))}
          />
        )}
      </Field>
      <div className="flex items-center justify-between gap-2">
        <span className="text-muted text-xs">{setup.file ?? t.shell}</span>
        <CopyButton text={setup.text} label={t.copySetup} wide />
      </div>
      <pre
        aria-label={setup.name}
        tabIndex={0}
        className="border-line bg-subtle overflow-x-auto rounded-md border p-3 font-mono text-xs leading-5"
      >
        {setup.text}
      </pre>
      {app !== undefined && (
        // The link contains the key, so it exists only for this call.
        <Button grow onClick={() => window.open(ccSwitchLink(app, name, parts), '_self')}>
          {t.openInCcSwitch}
        </Button>
      )}
    </section>
  )
}
