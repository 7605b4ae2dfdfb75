import type { VersionWatch } from '@sluice/coordination/snapshot-versions'
import { type Options, readOptions } from '@sluice/store/options/options'
import type { Vault } from '@sluice/store/vault'
import type { Log } from './logger.ts'

/** The settings, read once and again whenever they change. Returns a function that returns them as they are now. */
export async function createOptionSnapshot(
  loadRows: () => Promise<ReadonlyMap<string, string>>,
  vault: Vault,
  versions: Pick<VersionWatch, 'onChange'>,
  log: Pick<Log, 'warn'>,
): Promise<() => Options> {
  const load = async (): Promise<Options> => {
    const { options, problems } = readOptions(await loadRows(), (sealed) => {
      const opened = vault.open('option', sealed)
      return opened.ok ? opened.text : undefined
    })
    for (const problem of problems) log.warn({ problem }, 'a stored setting is left out')
    return options
  }
  let current = await load()
  versions.onChange('options', async () => {
    current = await load()
  })
  return () => current
}
