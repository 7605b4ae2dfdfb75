import { lazy, type ReactNode, Suspense, useContext, useState } from 'react'
import type { Failure } from '~/lib/http/call.ts'
import { SystemStatusContext, useSystemStatus } from '~/lib/status/system-status.ts'

const BotChallenge = lazy(async () => ({ default: (await import('./bot-challenge.tsx')).BotChallenge }))

export interface Challenge {
  /** True while the challenge is on and not solved; nothing can then be sent. */
  readonly open: boolean
  /** Empty while the challenge is off. */
  readonly token: string
  /** Call after each use of a token, which works only once. After a refusal that requires a token, also refetches the settings. */
  readonly renew: (failure?: Failure) => void
  /** `undefined` while the challenge is off. */
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
