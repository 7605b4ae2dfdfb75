import { type RefObject, useRef } from 'react'
import type { Command } from './registry.ts'
import { useCommand } from './use-commands.ts'

/** `/` moves the focus to the search field of the page: the input that is given the returned ref. */
export function useSearchKey(command: Pick<Command, 'id' | 'label' | 'group'>): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useCommand({ ...command, keys: '/', run: () => field.current?.focus() })
  return field
}
