import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRestingText } from '~/ui/use-resting-text.ts'

/**
 * The search text for settings: applied at once as it is typed, and put into the address a moment later, so that the result can be
 * shared. Back, Forward and links change it as well.
 */
export function useFindText(): readonly [string, (text: string) => void] {
  const navigate = useNavigate({ from: '/settings' })
  const { find } = useSearch({ from: '/protected/settings' })
  const { text, setText } = useRestingText(
    find,
    (wanted) => void navigate({ search: (now) => ({ ...now, find: wanted }), replace: true, resetScroll: false }),
  )
  return [text, setText]
}
