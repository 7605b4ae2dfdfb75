export interface Waiting<Member> {
  readonly member: Member
  /** Leaves the line; does nothing when called again. */
  leave(): void
}

/** One line for each user, served in turns. Each step takes the same time, regardless of the number of waiting requests. */
export interface WaitingLines<Member> {
  readonly size: number
  /** Appends to the user's line; a user's first request goes behind all other users. */
  add(user: number, member: Member): Waiting<Member>
  /** The member whose turn it is; the turn then goes on to the next user. The member stays in the line until it leaves. */
  next(): Waiting<Member> | undefined
  /** The most requests that can be served before this user's next one. */
  most(user: number): number
  /** The last member of the longest line; undefined if that line is no longer than `user`'s would be with one more member. */
  lastOfLongest(user: number): Waiting<Member> | undefined
}

interface LinePosition<Member> extends Waiting<Member> {
  before: LinePosition<Member> | undefined
  after: LinePosition<Member> | undefined
}

interface Line<Member> {
  readonly user: number
  first: LinePosition<Member> | undefined
  last: LinePosition<Member> | undefined
  length: number
}

export function createWaitingLines<Member>(): WaitingLines<Member> {
  return new LinesInTurn<Member>()
}

class LinesInTurn<Member> implements WaitingLines<Member> {
  readonly #lines = new Map<number, Line<Member>>()
  /** By length, so that the longest is found at once. */
  readonly #byLength: Set<Line<Member>>[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(user: number, member: Member): Waiting<Member> {
    const line = this.#lineOf(user)
    let isThere = true
    const position: LinePosition<Member> = {
      member,
      before: line.last,
      after: undefined,
      leave: () => {
        if (isThere) this.#leave(line, position)
        isThere = false
      },
    }
    if (line.last === undefined) line.first = position
    else line.last.after = position
    line.last = position
    this.#lengthen(line, 1)
    return position
  }

  next(): Waiting<Member> | undefined {
    for (const line of this.#lines.values()) {
      this.#lines.delete(line.user)
      this.#lines.set(line.user, line)
      return line.first
    }
    return undefined
  }

  most(user: number): number {
    return Math.min(this.#size, this.#lines.size * ((this.#lines.get(user)?.length ?? 0) + 1))
  }

  lastOfLongest(user: number): Waiting<Member> | undefined {
    const longest = this.#byLength.length - 1
    if (longest <= (this.#lines.get(user)?.length ?? 0) + 1) return undefined
    for (const line of this.#byLength[longest] ?? []) return line.last
    return undefined
  }

  #lineOf(user: number): Line<Member> {
    const known = this.#lines.get(user)
    if (known !== undefined) return known
    const line: Line<Member> = { user, first: undefined, last: undefined, length: 0 }
    this.#lines.set(user, line)
    return line
  }

  #leave(line: Line<Member>, { before, after }: LinePosition<Member>): void {
    if (before === undefined) line.first = after
    else before.after = after
    if (after === undefined) line.last = before
    else after.before = before
    this.#lengthen(line, -1)
  }

  #lengthen(line: Line<Member>, by: 1 | -1): void {
    this.#byLength[line.length]?.delete(line)
    line.length += by
    this.#size += by
    if (line.length === 0) this.#lines.delete(line.user)
    else (this.#byLength[line.length] ??= new Set()).add(line)
    while (this.#byLength.length > 0 && (this.#byLength.at(-1)?.size ?? 0) === 0) this.#byLength.pop()
  }
}
