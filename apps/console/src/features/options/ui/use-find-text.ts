import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'

/** Pause after the last key before the address follows, in milliseconds. */
const ADDRESS_MS = 300

/**
 * What the settings are searched for: at once as it is typed, and in the address a moment later, so that what is found can be
 * shown to others. Back, Forward and links change it as well; the address that follows the typing does not.
 */
export function useFindText(): readonly [string, (text: string) => void] {
  const navigate = useNavigate({ from: '/settings' })
  const { find } = useSearch({ from: '/protected/settings' })
  const [text, setText] = useState(find)
  const [seen, setSeen] = useState(find)
  const [sent, setSent] = useState(find)
  if (seen !== find) {
    setSeen(find)
    if (find !== sent) {
      setSent(find)
      setText(find)
    }
  }
  const follow = useEffectEvent(() => {
    const wanted = text.trim()
    if (wanted === find) return
    setSent(wanted)
    void navigate({ search: (now) => ({ ...now, find: wanted }), replace: true, resetScroll: false })
  })
  useEffect(() => {
    const timer = setTimeout(() => follow(), ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
