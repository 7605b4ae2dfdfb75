import { Navigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Provider } from '~/lib/session/provider-page.ts'
import { Button } from '~/ui/button.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Spinner } from '~/ui/spinner.tsx'
import { PROVIDER_NAMES } from '../model/providers.ts'
import { codeProblem } from '../model/sign-in.ts'
import { accessTexts } from '../texts/access-texts.ts'
import { sessionTexts } from '../texts/session-texts.ts'
import { AccessCard } from './access-card.tsx'
import { BackToLogin } from './back-to-login.tsx'
import { TotpField } from './totp-field.tsx'
import { type CallbackSearch, type CallbackState, RETRIES, useProviderCallback } from './use-provider-callback.ts'

interface ProviderCallbackProps {
  readonly provider: Provider
  readonly search: CallbackSearch
}

export function GitHubCallbackPage() {
  return <ProviderCallback provider="github" search={useSearch({ from: '/oauth/github' })} />
}

export function LarkCallbackPage() {
  return <ProviderCallback provider="lark" search={useSearch({ from: '/oauth/lark' })} />
}

export function OidcCallbackPage() {
  return <ProviderCallback provider="oidc" search={useSearch({ from: '/oauth/oidc' })} />
}

/** The page that a provider sends the browser back to. */
function ProviderCallback(props: ProviderCallbackProps) {
  const t = useTexts(accessTexts)
  const { code, state } = props.search
  if (code !== '' && state !== '') return <CallbackProgress {...props} />
  return <Navigate to="/login" replace state={{ problem: t.callbackParameters(PROVIDER_NAMES[props.provider]) }} />
}

function CallbackProgress({ provider, search }: ProviderCallbackProps) {
  const t = useTexts(accessTexts)
  const { state, submitCode } = useProviderCallback(provider, search)
  const name = PROVIDER_NAMES[provider]
  return (
    <AccessCard title={t.callbackTitle(name)}>
      {state.step === 'totp' ? (
        <CodeForm state={state} onSubmit={submitCode} />
      ) : (
        <>
          <div role="status" className="flex items-center gap-2">
            {state.step !== 'given-up' && <Spinner />}
            {state.step === 'asking' && t.callbackBusy(name)}
            {state.step === 'retrying' && t.callbackRetry(state.attempt, RETRIES)}
            {state.step === 'given-up' && t.callbackGivenUp}
          </div>
          {state.step !== 'asking' && state.message !== '' && <p className="text-muted text-sm">{state.message}</p>}
          <BackToLogin />
        </>
      )}
    </AccessCard>
  )
}

interface CodeFormProps {
  readonly state: CallbackState & { readonly step: 'totp' }
  readonly onSubmit: (code: string) => Promise<void>
}

function CodeForm({ state, onSubmit }: CodeFormProps) {
  const t = useTexts(sessionTexts)
  const [{ code, recovery, asked }, setTyped] = useState({ code: '', recovery: false, asked: false })
  const problem = codeProblem(code, recovery)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problem !== undefined) setTyped({ code, recovery, asked: true })
    else if (!state.busy) void onSubmit(code)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {state.error !== '' && <Notice tone="bad">{state.error}</Notice>}
      <TotpField
        value={code}
        error={asked && problem !== undefined ? t[problem] : undefined}
        recovery={recovery}
        onChange={(text, other) => setTyped({ code: text, recovery: other, asked: asked && other === recovery })}
      />
      <Button type="submit" variant="primary" grow busy={state.busy} disabled={!state.busy && problem !== undefined}>
        {t.verifyTotp}
      </Button>
      <BackToLogin />
    </form>
  )
}
