import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { systemTimers } from '@sluice/ledger/timers'
import { type Examination, examine, reportOf } from '../doctor/doctor.ts'
import { createClockSteps, createOwnFacts } from '../doctor/own-facts.ts'
import { openFactsTeller } from '../doctor/replica-facts.ts'
import type { DoctorParts } from '../doctor/wire-checks.ts'
import type { Examining } from '../management/doctor/doctor.ts'
import { createPasswords } from '../management/sessions/passwords.ts'
import { DEFAULT_ROOT_PASSWORD } from '../management/sessions/root-account.ts'
import type { Data, Start } from './open-data.ts'
import type { Upkeep } from './open-upkeep.ts'

export type Installation = Pick<
  DoctorParts,
  'config' | 'database' | 'vault' | 'guard' | 'fetchGuarded' | 'now' | 'onError'
>

/** The common parts of the gateway's and the command's doctor. */
export function sharedParts(
  installation: Installation,
): Installation & Pick<DoctorParts, 'machine' | 'own' | 'steady' | 'pause' | 'newValue' | 'isDefaultPassword'> {
  const passwords = createPasswords(randomBytes)
  return {
    ...installation,
    machine: hostname(),
    own: Date.now,
    steady: () => performance.now(),
    pause: async (ms, signal) => await delay(ms, undefined, { signal }),
    newValue: () => randomBytes(32).toString('hex'),
    isDefaultPassword: async (hash) => (await passwords.verify(DEFAULT_ROOT_PASSWORD, hash)) === true,
  }
}

/** Fourth stage: this replica's report about itself, and the doctor of the management API. */
export async function openDoctor(
  { config, log, opening }: Start,
  { database, vault, now, replica, fileLimit, places, uncharged }: Data,
  { guard, fetchGuarded }: Upkeep,
): Promise<Examining> {
  const facts = createOwnFacts({
    config,
    vault,
    fileLimit,
    places,
    aheadMs: () => Date.now() - now(),
    steppedMs: createClockSteps(Date.now, () => performance.now()),
    uncharged,
  })
  const teller = await openFactsTeller({
    database,
    replica,
    facts,
    every: (ms, run) => systemTimers.every(ms, run),
    onError: (error) => log.error({ error }, 'the status of this replica could not be written'),
  })
  opening.defer(() => teller.close())
  const parts: DoctorParts = {
    ...sharedParts({
      config,
      database,
      vault,
      guard,
      fetchGuarded,
      now,
      onError: (error, check) => log.error({ error, check }, 'a check of the doctor failed'),
    }),
    ownFacts: () => ({ id: replica, facts: facts() }),
  }
  const stopping = new AbortController()
  let running: Promise<Examination> | undefined
  opening.defer(async () => {
    stopping.abort()
    await running?.catch(() => {})
  })
  return {
    examine: async (language) => {
      running ??= examine(parts, stopping.signal).finally(() => {
        running = undefined
      })
      return reportOf(await running, language)
    },
  }
}
