import { oauthState } from '@sluice/contract/routes/providers'
import { useId, useEffect, useState } from 'react'
import { diagnostics } from '~/lib/diagnostics.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { pageFromSettings, type Provider } from '~/lib/session/provider-page.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { offeredProviders, PROVIDER_NAMES, pageWithTarget } from '../model/providers.ts'
import { accessTexts } from '../texts/access-texts.ts'

interface ProviderButtonsProps {
  readonly redirectTo?: string | undefined
  /** Invitation code, in case the sign-in creates an account. */
  readonly aff?: string
}

export function ProviderButtons({ redirectTo, aff = '' }: ProviderButtonsProps) {
  const t = useTexts(accessTexts)
  const status = useSystemStatus()
  const { leavingFor, start } = useProviderStart(redirectTo, aff)
  const weChatHint = useId()
  return (
    <div role="group" aria-label={t.providers} className="flex flex-col gap-2">
      {offeredProviders(status).map((provider) => (
        <Button
          key={provider}
          grow
          busy={leavingFor === provider}
          disabled={leavingFor !== undefined && leavingFor !== provider}
          onClick={() => void start(provider)}
        >
          {t.signInWith(PROVIDER_NAMES[provider])}
        </Button>
      ))}
      {status.wechat_login && (
        <>
          <Button
            grow
            aria-describedby={weChatHint}
            onClick={() => diagnostics.warn('Sign-in with WeChat is not implemented in this console.')}
          >
            {t.signInWith(t.weChat)}
          </Button>
          <p id={weChatHint} className="text-muted text-xs">
            {t.weChatMissing}
          </p>
        </>
      )}
    </div>
  )
}

interface ProviderStart {
  /** The provider whose page is loading. */
  readonly leavingFor: Provider | undefined
  readonly start: (provider: Provider) => Promise<void>
}

/** Sends the browser to a provider's page. `redirectTo` is where to go afterwards, `aff` the invitation code for a new account. */
function useProviderStart(redirectTo: string | undefined, aff: string): ProviderStart {
  const t = useTexts(accessTexts)
  const call = useCall()
  const toasts = useToasts()
  const status = useSystemStatus()
  const [leavingFor, setLeavingFor] = useState<Provider>()

  // Browsers restore the page as the visitor left it.
  useEffect(() => {
    const onReturn = () => setLeavingFor(undefined)
    window.addEventListener('pageshow', onReturn)
    return () => window.removeEventListener('pageshow', onReturn)
  }, [])

  const start = async (provider: Provider) => {
    setLeavingFor(provider)
    const reply = await call(oauthState, { query: { provider, aff } })
    const pageFor = (state: string) => pageFromSettings(provider, status, state)
    const page = reply.ok ? pageWithTarget(reply.extra.authorization_url || pageFor(reply.data), redirectTo) : undefined
    if (page !== undefined) {
      window.location.assign(page)
      return
    }
    const reason = reply.ok ? '' : reply.message
    diagnostics.error(`${t.stateFailed}${reason === '' ? '' : `: ${reason}`}`)
    toasts.show({ tone: 'bad', title: t.stateFailed, ...(reason !== '' && { text: reason }) })
    // As specified, GitHub's flow continues without a state. It ends at the callback, which refuses requests without one.
    const bare = provider === 'github' ? pageFor('') : undefined
    if (bare === undefined) setLeavingFor(undefined)
    else window.location.assign(bare)
  }
  return { leavingFor, start }
}
