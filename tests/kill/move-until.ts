import { moveDatabase } from '../../apps/gateway/src/cli/move-database.ts'
import { loadConfig } from '../../apps/gateway/src/environment/environment.ts'

/**
 * `node move-until.ts <step> <address>` moves the data of the environment's database to that address, and kills itself, without
 * cleaning up, as soon as it has taken that step.
 */
const [step, to = ''] = process.argv.slice(2)
const { config, problems } = loadConfig(process.env)
if (config === undefined) throw new Error(problems.join(' '))
process.exitCode = await moveDatabase(config, { to }, (taken) => {
  if (taken === step) process.kill(process.pid, 'SIGKILL')
  return Promise.resolve()
})
