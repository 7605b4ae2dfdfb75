import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

type LinkPart = 'model' | 'with' | 'token' | 'prompt'

/** What the address asks for. It wins over what the browser kept until something else is chosen by hand, which takes it out. */
export function useLink() {
  const link = useSearch({ from: '/protected/chat' })
  const navigate = useNavigate({ from: '/chat' })
  return {
    ...link,
    drop(...parts: readonly LinkPart[]) {
      if (parts.every((part) => link[part] === '')) return
      const emptied = Object.fromEntries(parts.map((part) => [part, '']))
      void navigate({ search: (search) => ({ ...search, ...emptied }), replace: true })
    },
  }
}

/** Hands on a part of the address when it comes, once. True in the pass that does: what is known of the choice is then old. */
export function useLinked(part: string, take: (part: string) => void): boolean {
  const [seen, setSeen] = useState('')
  if (part === seen) return false
  setSeen(part)
  if (part !== '') take(part)
  return part !== ''
}
