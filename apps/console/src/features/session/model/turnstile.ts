/** The part of Cloudflare's widget that is used: https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ */
export interface Turnstile {
  /** Draws a widget into the element and returns its id. */
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

/** The widget's code, fetched once. Rejects when it cannot be loaded; the next call tries again. */
export async function loadTurnstile(document: Document): Promise<Turnstile> {
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
