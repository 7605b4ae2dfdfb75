import type { DatabaseContents } from '@sluice/store/queries/database-contents'
import * as v from 'valibot'

/** Bumped when a program that reads an older manifest could misunderstand a newer one. */
const FORMAT = 1
/** A manifest has about 600 bytes. */
export const MANIFEST_BYTES = 65_536

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const manifestSchema = v.object({
  format: v.literal(FORMAT),
  /** Start of the copy, ISO 8601 in UTC. */
  made: v.pipe(v.string(), v.isoTimestamp()),
  /** Version of the program that made it. */
  program: v.string(),
  engine: v.literal('sqlite'),
  /** Id of the database, which all its backups share. */
  database: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  /** The newest migration in the copy. */
  migration: v.string(),
  /** Name of the file, without a folder. */
  file: v.pipe(v.string(), v.regex(/^[^/\\]+$/)),
  bytes: count,
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Ids of the master keys that decrypt its secrets. */
  keys: v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/))),
  sums: v.object({
    users: count,
    tokens: count,
    channels: count,
    charges: count,
    /** The balance of all users, mq as decimal text. */
    balance: v.pipe(v.string(), v.regex(/^-?\d{1,30}$/)),
  }),
})

/** Facts about a backup, written next to it as JSON once it is complete. Contains no secret. */
export type Manifest = v.InferOutput<typeof manifestSchema>

export function manifestOf(file: string): string {
  return `${file}.json`
}

export function createManifest(
  contents: DatabaseContents,
  copy: Pick<Manifest, 'made' | 'program' | 'file' | 'bytes' | 'sha256'>,
): Manifest {
  const { database, migration, keys, sums } = contents
  return { format: FORMAT, engine: 'sqlite', ...copy, database, migration, keys: [...keys], sums: sumsText(sums) }
}

/** The sums in a manifest's form. */
export function sumsText({ balance, ...counts }: DatabaseContents['sums']): Manifest['sums'] {
  return { ...counts, balance: balance.toString() }
}

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Reads the text of a manifest, or returns its fault as the end of a sentence. */
export function readManifest(text: string): Manifest | { readonly problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'is not JSON' }
  }
  const format = v.safeParse(v.object({ format: v.number() }), value)
  if (format.success && format.output.format > FORMAT) {
    return { problem: `has format ${format.output.format}, but this version of Sluice reads format ${FORMAT}` }
  }
  const parsed = v.safeParse(manifestSchema, value)
  if (parsed.success) return parsed.output
  return { problem: `is not the manifest of a backup (${v.getDotPath(parsed.issues[0]) ?? 'object'})` }
}
