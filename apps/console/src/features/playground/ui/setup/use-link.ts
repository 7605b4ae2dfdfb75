import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'

type LinkPart = 'model' | 'with' | 'token' | 'prompt'

/** What the address requests. It overrides the stored choice until the user chooses, which removes it from the address. */
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

/** Passes on a part of the address once, when it appears. True in that render: what is known about the choice is outdated. */
export function useLinked(part: string, take: (part: string) => void): boolean {
  const [seen, setSeen] = useState('')
  if (part === seen) return false
  setSeen(part)
  if (part !== '') take(part)
  return part !== ''
}
