import { useId } from 'react'
import { diagnostics } from '~/lib/diagnostics.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { offeredProviders, PROVIDER_NAMES } from '../model/providers.ts'
import { accessTexts } from '../texts/access-texts.ts'
import { useProviderStart } from './use-provider-start.ts'

interface ProviderButtonsProps {
  readonly redirectTo?: string | undefined
  /** Invitation code, in case the sign-in creates an account. */
  readonly aff?: string
}

/** The sign-in providers that the settings offer. */
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
