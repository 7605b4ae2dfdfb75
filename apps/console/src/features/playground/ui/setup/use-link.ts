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

/** Hands on a part of the address when it comes, once. */
export function useLinked(part: string, take: (part: string) => void): void {
  const [seen, setSeen] = useState('')
  if (part === seen) return
  setSeen(part)
  if (part !== '') take(part)
}
