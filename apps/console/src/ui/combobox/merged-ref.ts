import type { Ref, RefObject } from 'react'

/** One ref for an element that its own component needs too. */
export function mergedRef<T>(
  own: RefObject<T | null>,
  given: Ref<T> | undefined,
): (element: T | null) => (() => void) | void {
  return (element) => {
    own.current = element
    if (typeof given === 'function') return given(element)
    if (given) given.current = element
    return undefined
  }
}
