import { openBenchProvider } from './provider/bench-provider.ts'

/** The bench's provider as a separate process: prints its address, then `ready`. It ends with its standard input. */
const provider = await openBenchProvider()
console.log(`${provider.url} ready`)
const stop = () => void provider.close().then(() => process.exit(0))
process.on('SIGTERM', stop)
process.stdin.on('end', stop).resume()
