/**
 * `node warm-compile-cache.mjs <bin/sluice>`: starts the gateway once on an empty database and stops it, so that what Node compiled is
 * part of the image. Ends with 1 when the gateway does not start or stop properly.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PATIENCE_MS = 300_000

const data = mkdtempSync(join(tmpdir(), 'warm-'))
// The password serves nobody: the database is removed again.
const env = { ...process.env, PORT: '0', SLUICE_DATA_DIR: data, SLUICE_ROOT_PASSWORD: data }
const gateway = spawn(process.argv[2], ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'], timeout: PATIENCE_MS })
let output = ''
gateway.stdout.on('data', async (chunk) => {
  output += chunk
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
  if (address === undefined || !output.includes('  API ')) return
  gateway.stdout.removeAllListeners('data').resume()
  for (const path of ['/', '/readyz', '/v1/models']) await fetch(address + path).then((reply) => reply.arrayBuffer())
  gateway.kill('SIGTERM')
})
gateway.on('exit', (code) => {
  rmSync(data, { recursive: true, force: true })
  if (code !== 0) process.stderr.write(`${output}\nThe gateway ended with ${code}.\n`)
  process.exitCode = code === 0 ? 0 : 1
})
