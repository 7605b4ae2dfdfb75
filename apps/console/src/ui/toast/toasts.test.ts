import { describe, expect, it } from 'vitest'
import { createToasts, TOAST_MS } from './toasts.ts'

describe('toasts', () => {
  it('stay three seconds unless set otherwise', { tags: 'A9.2' }, () => {
    const toasts = createToasts()
    toasts.show({ tone: 'info', title: 'a' })
    toasts.show({ tone: 'info', title: 'b', duration: 10_000 })
    expect(TOAST_MS).toBe(3_000)
    expect(toasts.get().map((toast) => toast.duration)).toEqual([3_000, 10_000])
  })

  it('stay longer when they offer an action', () => {
    const toasts = createToasts()
    toasts.show({ tone: 'info', title: 'deleted', action: { label: 'Undo', run: () => {} } })
    expect(toasts.get().map((toast) => toast.duration)).toEqual([8_000])
  })

  it('are bounded: the oldest is removed', () => {
    const toasts = createToasts()
    for (const title of ['1', '2', '3', '4', '5']) toasts.show({ tone: 'bad', title })
    expect(toasts.get().map((toast) => toast.title)).toEqual(['2', '3', '4', '5'])
  })

  it('are removed when dismissed', () => {
    const toasts = createToasts()
    toasts.show({ tone: 'good', title: 'a' })
    toasts.dismiss(toasts.get()[0]?.id ?? -1)
    expect(toasts.get()).toEqual([])
  })
})
