import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BYTES = 512

/**
 * Milliseconds that the machine itself needs to make 512 bytes durable, `count` times: writes the next 512 bytes of a file that
 * already has its full size, then calls `fdatasync`. Uses the folder of the bench's databases.
 */
export function measureFlushes(count: number): readonly number[] {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-flush-'))
  const file = openSync(join(folder, 'file'), 'w')
  try {
    writeSync(file, Buffer.alloc(count * BYTES))
    fsyncSync(file)
    const piece = Buffer.alloc(BYTES, 'sluice')
    return Array.from({ length: count }, (_, at) => {
      const started = performance.now()
      writeSync(file, piece, 0, BYTES, at * BYTES)
      fdatasyncSync(file)
      return performance.now() - started
    })
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true })
  }
}
