import { useNavigate, useSearch } from '@tanstack/react-router'

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

/**
 * The text that the address asks to put into the composer; '' without one. It is never sent by itself. Call `taken` once it stands
 * there: it then leaves the address, so that a reload does not bring it back.
 */
export function useLinkedPrompt(): { readonly prompt: string; readonly taken: () => void } {
  const { prompt, drop } = useLink()
  return { prompt, taken: () => drop('prompt') }
}
