import { join } from 'node:path'
import { type Program, startProgram } from '@sluice/testkit/program'

export interface ProviderProcess extends Program {
  /** Without `/v1`. */
  readonly url: string
}

/** Starts the bench's provider as a separate process, which ends with this one. */
export async function startProviderProcess(): Promise<ProviderProcess> {
  const program = await startProgram({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '..', 'provider.ts')],
    readyWhen: /(http:\S+) ready/,
  })
  return { ...program, url: program.ready[1] ?? '' }
}
