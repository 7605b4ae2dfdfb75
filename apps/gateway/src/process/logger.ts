import { pino } from 'pino'

/** Structured log: the fields come first, then the sentence. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A second safeguard: no code writes such fields, and if any ever does, they are removed. */
const SECRET_FIELDS = ['key', 'authorization', 'cookie', 'password', 'token', 'body', 'headers', 'prompt', 'content']

/** JSON lines on standard output. Errors show name, code, message and stack only: other members of database errors contain rows. */
export function createLog(level: string, write: { write(line: string): void } = process.stdout): Log {
  return pino(
    {
      level,
      base: null,
      redact: { paths: [...SECRET_FIELDS, ...SECRET_FIELDS.map((field) => `*.${field}`)], censor: '[redacted]' },
      serializers: { error: describeError },
      formatters: { level: (label) => ({ level: label }) },
    },
    write,
  )
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { name: error.name, ...code, message: error.message, stack: error.stack }
}
