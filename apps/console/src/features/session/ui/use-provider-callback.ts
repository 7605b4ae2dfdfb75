import { oauthGitHub, oauthLark, oauthOidc } from '@sluice/contract/routes/providers'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Failure } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Provider } from '~/lib/session/provider-page.ts'
import { useSession } from '~/lib/session/use-session.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { PROVIDER_NAMES, targetOfState } from '../model/providers.ts'
import { asksForTotp } from '../model/sign-in.ts'
import { accessTexts } from '../texts/access-texts.ts'

const ROUTES = { github: oauthGitHub, lark: oauthLark, oidc: oauthOidc } as const
/** A failed call is repeated this many times, after this long multiplied by the number of the attempt. */
export const RETRIES = 3
const RETRY_MS = 2_000
/** How long the last failure is shown. */
const LEAVE_MS = 2_000

/** The parameters of the provider's redirect. */
export interface CallbackSearch {
  readonly code: string
  readonly state: string
  /** RFC 9207; empty when the provider does not send it. */
  readonly iss: string
}

export type CallbackState =
  | { readonly step: 'asking' }
  /** `message`: why the previous attempt failed; can be empty. */
  | { readonly step: 'retrying'; readonly attempt: number; readonly message: string }
  | { readonly step: 'totp'; readonly busy: boolean; readonly error: string }
  | { readonly step: 'given-up'; readonly message: string }

/**
 * Finishes a sign-in, or the linking of an account, that a provider's page has sent back. If the gateway requires the second step,
 * the attempts stop: `submitCode` continues.
 */
export function useProviderCallback(provider: Provider, search: CallbackSearch) {
  const t = useTexts(accessTexts)
  const call = useCall()
  const session = useSession()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [state, setState] = useState<CallbackState>({ step: 'asking' })
  const name = PROVIDER_NAMES[provider]

  /** One call. Returns why it failed; undefined when the visitor has moved on. */
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
