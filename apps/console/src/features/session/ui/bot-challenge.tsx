import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { useStore } from '~/lib/store/use-store.ts'
import { useTheme } from '~/lib/theme/use-theme.ts'
import { Button } from '~/ui/button.tsx'
import { Notice } from '~/ui/notice.tsx'
import { loadTurnstile } from '../model/turnstile.ts'
import { accessTexts } from '../texts/access-texts.ts'

interface BotChallengeProps {
  readonly siteKey: string
  /** The token to send along; empty when it has expired. */
  readonly onToken: (token: string) => void
}

/** Cloudflare's widget, one token each time it is mounted. It keeps its height from the start. */
export function BotChallenge({ siteKey, onToken }: BotChallengeProps) {
  const t = useTexts(accessTexts)
  const frame = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState(false)
  const chosen = useStore(useTheme())
  const theme = chosen === 'system' ? 'auto' : chosen
  const language = useLocale().toLowerCase()
  const answer = useEffectEvent(onToken)

  useEffect(() => {
    const start = { gone: false, remove: () => {} }
    const fail = () => {
      if (!start.gone) setFailed(true)
    }
    loadTurnstile(document).then((turnstile) => {
      if (start.gone || frame.current === null) return
      const id = turnstile.render(frame.current, {
        sitekey: siteKey,
        // The widget may have retried on its own.
        callback: (token) => {
          setFailed(false)
          answer(token)
        },
        'expired-callback': () => answer(''),
        'error-callback': fail,
        theme,
        language,
        size: 'flexible',
      })
      start.remove = () => turnstile.remove(id)
    }, fail)
    return () => {
      start.gone = true
      start.remove()
      answer('')
    }
  }, [siteKey, theme, language])

  return (
    <div role="group" aria-label={t.challenge} className="flex min-h-20 flex-col gap-3">
      <div ref={frame} />
      {failed && (
        <Notice tone="bad">
          <p className="mb-2">{t.challengeFailed}</p>
          {/* The page may have been loaded with a policy from before the challenge was switched on. */}
          <Button size="small" onClick={() => window.location.reload()}>
            {t.challengeRetry}
          </Button>
        </Notice>
      )}
    </div>
  )
}
