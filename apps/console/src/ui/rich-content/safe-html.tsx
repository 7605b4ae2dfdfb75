import { useLayoutEffect, useRef, useState } from 'react'
import { createSanitizer } from './sanitizer.ts'

/** HTML of the operators, sanitised. It cannot draw outside its own area. */
export function SafeHtml({ html, inline = false }: { html: string; inline?: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const [sanitize] = useState(() => createSanitizer(window, window.location.href))
  useLayoutEffect(() => {
    place.current?.replaceChildren(sanitize(html))
  }, [html, sanitize])
  return <div ref={place} className={inline ? 'prose prose-inline' : 'prose'} style={{ contain: 'layout paint' }} />
}
