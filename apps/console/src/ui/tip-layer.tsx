import { useEffect, useRef } from 'react'

/** How long the pointer rests before a tooltip shows, in milliseconds. */
const REST_MS = 400
const GAP_PX = 6

/**
 * Any element with `data-tip` shows a tooltip on hover and on keyboard focus; Escape hides it, and the pointer can move onto it
 * (WCAG 1.4.13). One listener for the page replaces a wrapper around every control.
 */
export function TipLayer() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tip = ref.current
    if (tip === null) return
    const off = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let anchor: Element | undefined
    const hide = () => {
      clearTimeout(timer)
      anchor = undefined
      if (tip.matches(':popover-open')) tip.hidePopover()
    }
    const show = (target: Element, delay: number) => {
      if (target === anchor) return
      hide()
      anchor = target
      timer = setTimeout(() => place(tip, target), delay)
    }
    const onEnter = (event: Event, delay: number) => {
      if (!(event.target instanceof Element) || tip.contains(event.target)) return
      const target = event.target.closest('[data-tip]')
      if (target === null) hide()
      else show(target, delay)
    }
    const options = { signal: off.signal, passive: true }
    document.addEventListener(
      'pointerover',
      (event) => event.pointerType !== 'touch' && onEnter(event, REST_MS),
      options,
    )
    document.addEventListener(
      'focusin',
      (event) => event.target instanceof Element && event.target.matches(':focus-visible') && onEnter(event, 0),
      options,
    )
    document.addEventListener('focusout', hide, options)
    document.addEventListener('pointerdown', hide, options)
    document.addEventListener('scroll', hide, { ...options, capture: true })
    document.addEventListener('keydown', (event) => event.key === 'Escape' && hide(), options)
    return () => {
      off.abort()
      clearTimeout(timer)
    }
  }, [])
  return (
    <div
      ref={ref}
      popover="manual"
      role="tooltip"
      className="bg-ink text-canvas pointer-events-auto fixed inset-auto m-0 max-w-72 rounded-md px-2 py-1 text-xs whitespace-pre-line wrap-anywhere"
    />
  )
}

function place(tip: HTMLElement, target: Element): void {
  if (!target.isConnected) return
  tip.textContent = target.getAttribute('data-tip')
  if (tip.textContent === '') return
  tip.showPopover()
  const around = target.getBoundingClientRect()
  const size = tip.getBoundingClientRect()
  const below = around.bottom + GAP_PX
  const top = below + size.height <= window.innerHeight ? below : around.top - GAP_PX - size.height
  const centred = around.left + around.width / 2 - size.width / 2
  const left = Math.min(Math.max(GAP_PX, centred), window.innerWidth - size.width - GAP_PX)
  tip.style.top = `${top}px`
  tip.style.left = `${left}px`
}
