import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocale, useTexts } from '~/lib/i18n/i18n.ts'
import { useStore } from '~/lib/store.ts'
import { useTheme } from '~/lib/theme.ts'
import { Button } from '~/ui/button.tsx'
import { Notice } from '~/ui/notice.tsx'
import { accessTexts } from '../texts/access-texts.ts'

interface BotChallengeProps {
  readonly siteKey: string
  /** `token` is sent along; empty when it has expired. */
  readonly onToken: (token: string) => void
}

/** Cloudflare's widget. Each mount gives one token. It has its full height from the start. */
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
        // The widget may have retried automatically.
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

/** The used part of Cloudflare's widget: https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ */
export interface Turnstile {
  render(element: HTMLElement, options: TurnstileOptions): string
  remove(id: string): void
}

interface TurnstileOptions {
  readonly sitekey: string
  readonly callback: (token: string) => void
  readonly 'expired-callback': () => void
  readonly 'error-callback': () => void
  readonly theme: 'light' | 'dark' | 'auto'
  readonly language: string
  readonly size: 'flexible'
}

/** The gateway's content security policy allows this host while the challenge is on. */
const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

/** Fetches the widget's code once. Rejects when it cannot be loaded; the next call tries again. */
async function loadTurnstile(document: Document): Promise<Turnstile> {
  const ready = turnstileOf(document.defaultView)
  if (ready !== undefined) return ready
  const known = document.querySelector<HTMLScriptElement>(`script[src="${SCRIPT}"]`)
  const script = known ?? Object.assign(document.createElement('script'), { src: SCRIPT, async: true })
  await new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve(), { once: true })
    script.addEventListener('error', () => reject(new Error('the widget did not load')), { once: true })
    if (known === null) document.head.append(script)
  }).catch((error: unknown) => {
    script.remove()
    throw error
  })
  const loaded = turnstileOf(document.defaultView)
  if (loaded === undefined) throw new Error('the script brought no widget')
  return loaded
}

function turnstileOf(window: Window | null): Turnstile | undefined {
  const found: unknown = window === null ? undefined : Reflect.get(window, 'turnstile')
  return isTurnstile(found) ? found : undefined
}

function isTurnstile(found: unknown): found is Turnstile {
  return typeof found === 'object' && found !== null && 'render' in found && 'remove' in found
}
