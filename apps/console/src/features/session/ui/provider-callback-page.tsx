import { oauthGitHub, oauthLark, oauthOidc } from '@sluice/contract/routes/providers'
import { Navigate, useSearch, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState, useEffect, useEffectEvent } from 'react'
import { type Failure, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Provider } from '~/lib/session/provider-page.ts'
import { useSession } from '~/lib/session/session.ts'
import { Button, Spinner } from '~/ui/button.tsx'
import { Notice } from '~/ui/notice.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { PROVIDER_NAMES, targetOfState } from '../model/providers.ts'
import { codeProblem, asksForTotp } from '../model/sign-in.ts'
import { accessTexts } from '../texts/access-texts.ts'
import { sessionTexts } from '../texts/session-texts.ts'
import { AccessCard, BackToLogin } from './access-card.tsx'
import { TotpField } from './totp-field.tsx'

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

const ROUTES = { github: oauthGitHub, lark: oauthLark, oidc: oauthOidc } as const
/** Number of retries; the pause before each is `RETRY_MS` times the attempt's number. */
const RETRIES = 3
const RETRY_MS = 2_000
/** How long the last failure is shown. */
const LEAVE_MS = 2_000

interface CallbackSearch {
  readonly code: string
  readonly state: string
  /** RFC 9207; empty when the provider does not send it. */
  readonly iss: string
}

type CallbackState =
  | { readonly step: 'asking' }
  /** `message`: why the previous attempt failed; can be empty. */
  | { readonly step: 'retrying'; readonly attempt: number; readonly message: string }
  | { readonly step: 'totp'; readonly busy: boolean; readonly error: string }
  | { readonly step: 'given-up'; readonly message: string }

/**
 * Finishes a sign-in or linking after a provider's page. If the gateway requires the second step, the attempts stop and
 * `submitCode` continues.
 */
function useProviderCallback(provider: Provider, search: CallbackSearch) {
  const t = useTexts(accessTexts)
  const call = useCall()
  const session = useSession()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [state, setState] = useState<CallbackState>({ step: 'asking' })
  const name = PROVIDER_NAMES[provider]

  /** One call. Returns why the call failed; undefined when the visitor has moved on. */
  const ask = async (totpCode: string, signal?: AbortSignal): Promise<Failure | undefined> => {
    const reply = await call(ROUTES[provider], { query: { ...search, totp_code: totpCode }, signal })
    if (!reply.ok) return reply
    if (reply.message === 'bind') {
      toasts.show({ tone: 'good', title: t.bound(name) })
      await navigate({ href: '/settings', replace: true })
      return undefined
    }
    if (reply.data === undefined) return NO_USER
    session.signIn(reply.data)
    await navigate({ href: targetOfState(search.state), replace: true })
    return undefined
  }

  const leave = () => navigate({ to: '/login', replace: true, state: { problem: t.callbackFailed(name) } })

  const run = useEffectEvent(async (signal: AbortSignal) => {
    for (let attempt = 1; ; attempt++) {
      const failure = await ask('', signal)
      if (failure === undefined || signal.aborted) return
      if (asksForTotp(failure)) return setState({ step: 'totp', busy: false, error: '' })
      const { message } = failure
      if (attempt > RETRIES) {
        setState({ step: 'given-up', message })
        await pause(LEAVE_MS, signal)
        if (!signal.aborted) await leave()
        return
      }
      setState({ step: 'retrying', attempt, message })
      await pause(RETRY_MS * attempt, signal)
      if (signal.aborted) return
    }
  })
  useEffect(() => {
    const abort = new AbortController()
    // Not within the effect itself: the state of a sign-in works only once, and React may run effects twice.
    const timer = setTimeout(() => void run(abort.signal))
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [])

  return {
    state,
    submitCode: async (code: string) => {
      setState({ step: 'totp', busy: true, error: '' })
      const failure = await ask(code)
      if (failure === undefined) return
      if (asksForTotp(failure)) setState({ step: 'totp', busy: false, error: failure.message })
      else await leave()
    },
  }
}

const NO_USER: Failure = { ok: false, kind: 'reply', message: '', status: 200, code: '', data: undefined }

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
