import { readFile } from 'node:fs/promises'
import { isRefusal, refusalText } from '@sluice/contract/errors'
import { StartProblem } from '../environment/configured.ts'
import type { Config } from '../environment/environment.ts'
import type { Log } from '../process/logger.ts'
import type { Data } from './open-data.ts'

const ACTOR = { id: 0, name: 'SLUICE_CONFIG', role: 100, address: '' }

/**
 * Applies the file of `SLUICE_CONFIG`. An invalid file stops the start. A file older than the applied one, as on a replica that has
 * not been replaced yet, is ignored. Of several replicas, one applies the file and the others find nothing to do.
 */
export async function applyConfigurationFile(
  config: Pick<Config, 'configurationFile' | 'dataDir' | 'upstreamPrivate' | 'callerKeyOrigins'>,
  data: Pick<Data, 'database' | 'vault' | 'now'>,
  log: Log,
): Promise<void> {
  const file = config.configurationFile
  if (file === '') return
  const [{ configurationOf, localSecrets }, { loadDocument }, { problemText }] = await Promise.all([
    import('./configuration-files.ts'),
    import('../declared/document/check-document.ts'),
    import('../declared/document/read-document.ts'),
  ])
  const refuse = (problems: Parameters<typeof problemText>[0][]): never => {
    const [first] = problems
    const more =
      problems.length > 1 ? ` There are ${problems.length - 1} more; "sluice config validate" lists them.` : ''
    throw new StartProblem(
      `SLUICE_CONFIG=${file}: ${first === undefined ? 'cannot be used' : problemText(first)}.${more}`,
    )
  }
  const bytes = await readFile(file).catch(() => {
    throw new StartProblem(`SLUICE_CONFIG=${file}: the file does not exist or cannot be read.`)
  })
  const declared = await loadDocument(bytes, localSecrets(config.dataDir, process.env))
  if ('problems' in declared) return refuse([...declared.problems])
  const applied = await configurationOf(config, data).apply(declared, {
    prune: false,
    actor: ACTOR,
    action: 'start with SLUICE_CONFIG',
  })
  if ('problems' in applied) return refuse([...applied.problems])
  if (isRefusal(applied)) {
    log.warn({ file, reason: refusalText(applied) }, 'the configuration file was not applied')
    return
  }
  const { owner, revision, changes } = applied
  log.info({ file, owner, revision, changes: changes.length }, 'the configuration file was applied')
}
