import DOMPurify from 'dompurify'
import { useLayoutEffect, useRef, useState } from 'react'
import { safeLink, safePicture } from '../markdown/safe-address.ts'

/** The operators' HTML, sanitised. It cannot draw outside its own area. */
export function SafeHtml({ html, inline = false }: { html: string; inline?: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const [sanitize] = useState(() => createSanitizer(window, window.location.href))
  useLayoutEffect(() => {
    place.current?.replaceChildren(sanitize(html))
  }, [html, sanitize])
  return <div ref={place} className={inline ? 'prose prose-inline' : 'prose'} style={{ contain: 'layout paint' }} />
}

/** Removes names, which could confuse scripts, and our own classes, which could cover the console. */
const NAMES = ['class', 'id', 'name']
const ADDRESSES = ['srcset', 'background', 'action', 'formaction', 'ping']
/** Attributes that act outside their element: they press or open others, rise above the page, or take the focus first. */
const REACHES = ['for', 'popover', 'popovertarget', 'popovertargetaction', 'command', 'commandfor', 'tabindex']
/** Elements that request input, load audio or video, or restyle the page; the profile excludes `svg` and `math`. */
const FORBIDDEN_TAGS = ['style', 'form', 'input', 'button', 'textarea', 'select', 'option', 'dialog', 'audio', 'video']

export type Sanitizer = (html: string) => DocumentFragment

/**
 * Makes the operators' HTML unable to run anything (class S14): removes what is not known to be harmless, allows only http, https
 * and mail in links, and loads pictures only over https or from `data:` addresses. `base` is the address of this page.
 */
function createSanitizer(view: typeof window, base: string): Sanitizer {
  const purify = DOMPurify(view)
  purify.addHook('afterSanitizeAttributes', (element) => {
    if (element.tagName === 'A' || element.tagName === 'AREA') tameLink(element, base)
    if (element.tagName === 'IMG') tamePicture(element, base)
  })
  return (html) => {
    const fragment = purify.sanitize(html, {
      USE_PROFILES: { html: true },
      FORBID_ATTR: [...NAMES, ...ADDRESSES, ...REACHES],
      FORBID_TAGS: FORBIDDEN_TAGS,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: true,
      RETURN_DOM_FRAGMENT: true,
    })
    for (const scroller of fragment.querySelectorAll('table, pre')) scroller.setAttribute('tabindex', '0')
    return fragment
  }
}

function tameLink(element: Element, base: string): void {
  const address = element.getAttribute('href')
  const link = address === null ? undefined : safeLink(address, base)
  for (const name of ['href', 'target', 'rel']) element.removeAttribute(name)
  if (link === undefined) return
  element.setAttribute('href', link.href)
  if (!link.foreign) return
  element.setAttribute('target', '_blank')
  element.setAttribute('rel', 'noopener noreferrer nofollow')
}

function tamePicture(element: Element, base: string): void {
  const address = element.getAttribute('src')
  const src = address === null ? undefined : safePicture(address, base)
  if (src === undefined) element.removeAttribute('src')
  else element.setAttribute('src', src)
  if (!element.hasAttribute('alt')) element.setAttribute('alt', '')
  element.setAttribute('referrerpolicy', 'no-referrer')
  element.setAttribute('loading', 'lazy')
}
