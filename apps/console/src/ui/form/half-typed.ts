import type { ComponentProps } from 'react'
import type { TextInput } from '../field.tsx'

type Handlers = Required<Pick<ComponentProps<typeof TextInput>, 'onChange' | 'onBlur' | 'onKeyDown'>>

/**
 * Handlers for dates and numbers, which the browser does not report while they are half typed: it gives an empty text and no change
 * event. So the input is also checked when it loses focus, and on Enter before the form is submitted.
 */
export function halfTyped(take: (input: HTMLInputElement) => void, onBlur: () => void): Handlers {
  return {
    onChange: (event) => take(event.target),
    onBlur: (event) => {
      take(event.target)
      onBlur()
    },
    onKeyDown: (event) => {
      if (event.key === 'Enter') take(event.currentTarget)
    },
  }
}
