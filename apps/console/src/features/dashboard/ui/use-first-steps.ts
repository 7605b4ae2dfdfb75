import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { useUser } from '~/lib/session/use-session.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'

/** Number of users of one browser whose choice is stored. */
const MOST_USERS = 20

/** Milliseconds after the main content has arrived before its code and its calls are fetched. */
const AFTER_MS = 1_500

/** Whether the checklist of first steps is still wanted, by user; a user dismisses it only once per browser. */
export function useFirstSteps(): { readonly wanted: boolean; readonly onOver: () => void } {
  const id = useUser()?.id ?? 0
  const record = storedRecord(browserStorage(), STORAGE_KEYS.firstSteps, v.array(v.number()))
  const [over, setOver] = useState(() => record.read() ?? [])
  const [isTime, setIsTime] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsTime(true), AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return {
    wanted: isTime && !over.includes(id),
    onOver: () => {
      const next = [id, ...over].slice(0, MOST_USERS)
      record.write(next)
      setOver(next)
    },
  }
}
