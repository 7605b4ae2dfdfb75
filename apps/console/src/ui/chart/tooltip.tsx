import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'

interface TooltipProps {
  /** Horizontal position, in pixels from the left of the plot. */
  readonly x: number
  /** Distance from `x`, so that the explained part stays visible. */
  readonly gap: number
  /** Width of the plot, which decides on which side there is room. */
  readonly width: number
  readonly title: string
  readonly children: ReactNode
}

/** The day's values for the eye only: the plot itself speaks them. */
export function Tooltip({ x, gap, width, title, children }: TooltipProps) {
  const side = x > width / 2 ? { right: width - x + gap } : { left: x + gap }
  return (
    <div
      aria-hidden="true"
      className="bg-raised border-line shadow-float pointer-events-none absolute top-0 z-10 w-max max-w-[min(18rem,62%)] rounded-lg border px-3 py-2 text-xs"
      style={side}
    >
      <p className="mb-1 font-medium">{title}</p>
      {children}
    </div>
  )
}

/** In whole pixels, kept up to date; 0 until the element is laid out. Measured before the first paint. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = () => setWidth(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
