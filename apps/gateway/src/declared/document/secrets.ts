import type { SecretReference } from '@sluice/contract/configuration/document'

/** The referenced secret, or the reason why it cannot be used. Never throws; a problem never contains the secret. */
export type ResolveSecret = (
  reference: SecretReference,
) => Promise<{ readonly value: string } | { readonly problem: string }>

const SECRET_MAX = 500_000
/** Masks that forms show in place of a secret, and never accept as one. */
const MASK = /^\s*[*•●·.][*•●·.\s]*$/
/** Variables with this prefix exist to be referenced. */
const OPEN_NAME = /^SLUICE_SECRET_/

export interface SecretSources {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The bytes of a regular file of at most `limit`; rejects otherwise. Undefined: files cannot be named. */
  readonly readFile?: ((path: string, limit: number) => Promise<Uint8Array>) | undefined
  /** Whether the variable is the gateway's own: its value must not leave as a provider's key. */
  readonly isOwnVariable: (name: string) => boolean
  /** Remote callers may reference `SLUICE_SECRET_*` variables and nothing else. */
  readonly isRemote: boolean
}

/**
 * Resolves references. The author of a file can have a referenced secret sent to their own address, as a key. Therefore the
 * gateway's own variables cannot be referenced, and files cannot be referenced over the API at all.
 */
export function createSecretResolver({ environment, readFile, isOwnVariable, isRemote }: SecretSources): ResolveSecret {
  return async (reference) => {
    if (reference.from === 'env') {
      const { name } = reference
      if (!OPEN_NAME.test(name)) {
        if (isRemote)
          return { problem: 'may only refer to variables that begin with SLUICE_SECRET_ when sent to the API' }
        if (isOwnVariable(name)) return { problem: `refers to ${name}, which is a variable of the gateway itself` }
      }
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined
      return value === undefined
        ? { problem: `refers to the environment variable ${name}, which is not set` }
        : checked(value, name)
    }
    const { path } = reference
    if (isRemote || readFile === undefined) return { problem: 'may not refer to a file when sent to the API' }
    try {
      const bytes = await readFile(path, SECRET_MAX)
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      return checked(text.replace(/\r?\n$/, ''), path)
    } catch (error) {
      return { problem: `names the file ${path}, which ${whyUnreadable(error)}` }
    }
  }
}

function checked(value: string, source: string): { readonly value: string } | { readonly problem: string } {
  if (MASK.test(value)) return { problem: `refers to ${source}, which contains only a mask` }
  if (value.trim() === '') return { problem: `refers to ${source}, which is empty` }
  if (value.length > SECRET_MAX)
    return { problem: `refers to ${source}, which is longer than ${SECRET_MAX} characters` }
  return value.includes('\u0000') ? { problem: `refers to ${source}, which contains a NUL character` } : { value }
}

function whyUnreadable(error: unknown): string {
  if (error instanceof TypeError) return 'is not UTF-8'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read'
    default:
      return error instanceof UnfitFile ? error.message : 'cannot be read'
  }
}

/** A file that must not be referenced; the message follows "which". */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile'
}
