import type { ComponentProps } from 'react'
import type { TextInput } from '../field.tsx'

type Handlers = Required<Pick<ComponentProps<typeof TextInput>, 'onChange' | 'onBlur' | 'onKeyDown'>>

/**
 * Handlers for dates and numbers, of which the browser says nothing while they are typed half: it reports an empty text and no
 * change. So the input is also looked at when it is left, and on Enter before the form is sent.
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
