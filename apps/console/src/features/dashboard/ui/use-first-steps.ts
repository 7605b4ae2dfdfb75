import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { useUser } from '../../../lib/session/use-session.ts'
import { STORAGE_KEYS } from '../../../lib/storage/keys.ts'
import { browserStorage, storedRecord } from '../../../lib/storage/stored-record.ts'

/** Users of one browser whose answer is kept. */
const MOST_USERS = 20

/** Milliseconds after which its code and its calls are fetched, when what the page is for is there. */
const AFTER_MS = 1_500

/** Whether the checklist of first steps is still wanted, by user; nobody is asked twice on the same browser. */
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
