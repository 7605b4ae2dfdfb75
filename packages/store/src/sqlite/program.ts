import type { ForeignConnection, SqliteConnection } from './connection.ts'

/**
 * A program runs in the database's thread next to its own connection. Its module exports `open: OpenProgram`; the main side calls
 * the returned methods by name. Arguments and results travel by structured clone (which supports bigint and typed arrays, but not
 * functions or class instances), one message each way. A method can be synchronous or return a promise; calls run in order of
 * arrival, and a synchronous method is never interleaved with another.
 */
export type OpenProgram = (connection: SqliteConnection) => ProgramMethods

/** A program next to a connection to another program's file. */
export type OpenForeignProgram = (connection: ForeignConnection) => ProgramMethods

/** A program without a connection of ours: it opens what `file` names, and ends with its thread. */
export type OpenUnconnectedProgram = (file: string) => ProgramMethods

// Method shapes differ per program, and messages erase types: each program's main side restores its own.
export type ProgramMethods = Readonly<Record<string, (...args: never[]) => unknown>>

export interface ThreadStart {
  readonly file: string
  /** Href of the program's module. */
  readonly program: string
  /** `foreign`: another program's file, for an `OpenForeignProgram`; `none`: for an `OpenUnconnectedProgram`. */
  readonly access: 'own' | 'foreign' | 'none'
}

/** Call id (0 asks the thread to close), method name, arguments. */
export type CallMessage = readonly [id: number, method: string, args: readonly unknown[]]
/** Call id, result, and the error if it failed. Id 0 reports that the program is open, or why it could not be opened. */
export type ReplyMessage = readonly [id: number, result: unknown, error?: ErrorMessage]

/** The parts of an error that survive a clone. */
export interface ErrorMessage {
  readonly message: string
  readonly stack: string | undefined
  /** SQLite's extended result code, when SQLite refused. */
  readonly errcode: number | undefined
  /** Node's code (`EACCES`), when the system refused. */
  readonly code: string | undefined
}
