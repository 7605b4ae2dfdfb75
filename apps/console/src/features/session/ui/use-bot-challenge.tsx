import { lazy, type ReactNode, Suspense, useContext, useState } from 'react'
import type { Failure } from '~/lib/http/call.ts'
import { SystemStatusContext, useSystemStatus } from '~/lib/status/system-status.ts'

const BotChallenge = lazy(async () => ({ default: (await import('./bot-challenge.tsx')).BotChallenge }))

export interface Challenge {
  /** The challenge is on and not solved yet: nothing can be sent. */
  readonly open: boolean
  /** What to send along; empty while the challenge is off. */
  readonly token: string
  /** Call after a token was used: each works only once. After a refusal that requires a token, it also refetches the settings. */
  readonly renew: (failure?: Failure) => void
  /** The widget, for the form; `undefined` while the challenge is off. */
  readonly widget: ReactNode
}

export function useBotChallenge(): Challenge {
  const { turnstile_check, turnstile_site_key } = useSystemStatus()
  const settings = useContext(SystemStatusContext)
  const [token, setToken] = useState('')
  const [round, setRound] = useState(0)
  return {
    open: turnstile_check && token === '',
    token,
    renew: (failure) => {
      if (failure?.code === 'challenge_required') void settings?.refresh()
      setToken('')
      setRound(round + 1)
    },
    widget: turnstile_check ? (
      <Suspense fallback={<div className="h-20" />}>
        <BotChallenge key={round} siteKey={turnstile_site_key} onToken={setToken} />
      </Suspense>
    ) : undefined,
  }
}
