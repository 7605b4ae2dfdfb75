import { parseArgs } from 'node:util'
import { MODELS } from './models.ts'
import { startEmulator } from './server.ts'

/**
 * `node emulator/main.ts [--port 4010]`: the provider emulator as a separate process. Prints its address, then `ready`. `--models`
 * prints the table of models. `--tied` ends it when its standard input ends, so that it never outlives its parent.
 */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, models: { type: 'boolean' }, tied: { type: 'boolean' } },
})

if (values.models) {
  for (const { name, summary } of MODELS) console.log(`${name.padEnd(20)} ${summary}`)
} else {
  const emulator = await startEmulator(Number(values.port))
  console.log(`${emulator.url} ready`)
  const stop = () => void emulator.close().then(() => process.exit(0))
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (values.tied) process.stdin.on('end', stop).resume()
}
