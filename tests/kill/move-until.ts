import { moveDatabase } from '../../apps/gateway/src/cli/move-database.ts'
import { loadConfig } from '../../apps/gateway/src/environment/environment.ts'

/** `node move-until.ts <step> <address>` moves the environment's database there, and dies uncleanly right after that step. */
const [step, to = ''] = process.argv.slice(2)
const { config, problems } = loadConfig(process.env)
if (config === undefined) throw new Error(problems.join(' '))
process.exitCode = await moveDatabase(config, { to }, (taken) => {
  if (taken === step) process.kill(process.pid, 'SIGKILL')
  return Promise.resolve()
})
