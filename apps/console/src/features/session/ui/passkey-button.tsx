import type { SignedInUser } from '@sluice/contract/signed-in-user'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as v from 'valibot'
import { type Failure, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { STORAGE_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { Button } from '~/ui/button.tsx'
import { sessionTexts } from '../texts/session-texts.ts'

interface PasskeyButtonProps {
  readonly onUser: (user: SignedInUser) => Promise<void>
  /** Undefined when the visitor presented no passkey. */
  readonly onRefused: (failure: Failure | undefined) => void
}

/**
 * Where a passkey was used before, the username field suggests passkeys too. Elsewhere that would request a challenge from the
 * gateway at every visit for nothing.
 */
export function PasskeyButton({ onUser, onRefused }: PasskeyButtonProps) {
  const t = useTexts(sessionTexts)
  const call = useCall()
  const [busy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)
  const [usedHere] = useState(() => storedRecord(browserStorage(), STORAGE_KEYS.passkey, v.literal('used')))

  const run = async (mediation: 'optional' | 'conditional') => {
    // A browser handles one passkey request at a time.
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    const { signInWithPasskey } = await import('./passkey-sign-in.ts')
    const result = await signInWithPasskey(call, mediation, abort.signal)
    if (abort.signal.aborted) return
    if (result?.ok === true) {
      usedHere.write('used')
      await onUser(result.data)
    } else if (mediation === 'optional') onRefused(result)
  }
  const suggest = useEffectEvent(() => void run('conditional'))
  useEffect(() => {
    if (canUsePasskeys() && usedHere.read() !== undefined) suggest()
    return () => running.current?.abort()
  }, [])

  if (!canUsePasskeys()) return null
  const press = async () => {
    setBusy(true)
    await run('optional')
    setBusy(false)
  }
  return (
    <Button grow busy={busy} onClick={() => void press()}>
      {t.passkey}
    </Button>
  )
}

/** Browsers support passkeys only at https addresses with a host name, and on this machine. */
function canUsePasskeys(): boolean {
  return (
    'PublicKeyCredential' in window &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    !IP.test(location.hostname)
  )
}

const IP = /^[\d.]+$|:/
