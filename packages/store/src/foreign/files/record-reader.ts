/** Reads the text of a file piece by piece; throws `FileFault`. */
export interface RecordReader {
  /** Takes the records that end in this piece. */
  push(text: string): void
  /** Takes the last record, which needs no line break. */
  end(): void
}

/** Called with each record and the line on which it begins, counted from 1. */
export type TakeRecord<R> = (record: R, line: number) => void

/** A part of a file that cannot be read, with its line, counted from 1. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** A record, the start of the next one, and its line breaks. */
export interface FoundRecord<R> {
  /** Undefined for a line that is not a record. */
  readonly record: R | undefined
  readonly next: number
  readonly lines: number
}

/** Largest record; the values in it have their own limits. */
const MAX_RECORD_CHARACTERS = 64 * 1024 * 1024

/**
 * Makes a reader from a function that finds the record at a position of a text. The function returns undefined when the record does
 * not end in that text, which must not happen at the end of the file (`isEnd`).
 */
export function createRecordReader<R>(
  find: (text: string, at: number, isEnd: boolean, line: number) => FoundRecord<R> | undefined,
  take: TakeRecord<R>,
): RecordReader {
  let rest = ''
  let lines = 0
  const read = (text: string, isEnd: boolean): void => {
    const whole = rest + text
    let at = 0
    while (at < whole.length) {
      const found = find(whole, at, isEnd, lines + 1)
      if (found === undefined) break
      if (found.record !== undefined) take(found.record, lines + 1)
      at = found.next
      lines += found.lines
    }
    rest = whole.slice(at)
    if (rest.length > MAX_RECORD_CHARACTERS) throw new FileFault(lines + 1, 'the record is larger than 64 MB')
  }
  return {
    push: (text) => read(text, false),
    end: () => read('', true),
  }
}

export function lineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
