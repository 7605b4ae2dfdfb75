import { type ReactNode, useEffect, useRef, useState } from 'react'

/** How far outside the window a part is already drawn, in pixels: a flick of the wheel. */
const AHEAD_PX = 600

interface LazyPartProps {
  /** Height of the part, in pixels; it must be exact, or what follows moves when the part is drawn. */
  readonly height: number
  /** Draws at once: for the part that is visible first, or that is linked to. */
  readonly eager: boolean
  /** Element around the part, in a table or a list. */
  readonly as: 'tbody' | 'li'
  readonly children: () => ReactNode
}

/** A part of a long page that is drawn when it comes near and then stays: long lists cost only as much as is seen of them. */
export function LazyPart({ height, eager, as: Element, children }: LazyPartProps) {
  const place = useRef<HTMLTableSectionElement & HTMLLIElement>(null)
  const [near, setNear] = useState(false)
  const drawn = eager || near
  useEffect(() => {
    if (drawn || place.current === null) return
    const margin = `${AHEAD_PX}px`
    // Two margins, because the page scrolls in the window on phones and in its main part elsewhere.
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: margin, scrollMargin: margin },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [drawn])
  if (drawn) return <Element ref={place}>{children()}</Element>
  const gap = <div style={{ height }} />
  return (
    <Element ref={place} aria-hidden="true">
      {Element === 'tbody' ? (
        <tr>
          <td className="p-0">{gap}</td>
        </tr>
      ) : (
        gap
      )}
    </Element>
  )
}
