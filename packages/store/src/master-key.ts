import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MASTER_KEY_BYTES, type MasterKey } from './vault.ts'

export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

/**
 * Master keys from the text of `SLUICE_MASTER_KEY` or of the key file: 32 bytes each, as 64 hex digits or base64, separated by
 * commas or lines. The first one seals, the others only open: to rotate keys, put the new one in front.
 */
export function parseMasterKeys(text: string): MasterKeys | { readonly problem: string } {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  const keys: MasterKey[] = []
  for (const entry of entries) {
    const key = decodeKey(entry)
    if (key === undefined) return { problem: 'each master key must be 32 bytes, as 64 hex digits or base64' }
    keys.push(key)
  }
  const [first, ...rest] = keys
  return first === undefined ? { problem: 'there is no master key' } : [first, ...rest]
}

function decodeKey(text: string): MasterKey | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[\w+/-]+=?$/.test(text)) return undefined
  const key = Buffer.from(text, 'base64')
  return key.length === MASTER_KEY_BYTES ? key : undefined
}

/** Reads the key file; undefined when there is none. */
export async function readMasterKeyFile(path: string): Promise<MasterKeys | { readonly problem: string } | undefined> {
  const text = await readIfThere(path)
  return text === undefined ? undefined : parseMasterKeys(text)
}

/** Creates the key file, readable by its owner only, unless another process was faster, then reads it. */
export async function createMasterKeyFile(path: string): Promise<MasterKeys | { readonly problem: string }> {
  return parseMasterKeys(await createKeyFile(path))
}

/** The file appears under its name only when it is complete, so two processes that start together read the same key. */
async function createKeyFile(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(MASTER_KEY_BYTES).toString('base64')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
  try {
    await link(draft, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  return await readFile(path, 'utf8')
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
