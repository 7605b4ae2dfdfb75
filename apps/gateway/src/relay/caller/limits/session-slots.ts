/** Slots that one user cannot fill alone. A slot is taken in two steps, because the user is not known at first. */
export class SessionSlots {
  #taken = 0
  readonly #byUser = new Map<number, number>()
  readonly #limits: { readonly all: number; readonly perUser: number }

  constructor(limits: { readonly all: number; readonly perUser: number }) {
    this.#limits = limits
  }

  /** False if none is left. */
  take(): boolean {
    if (this.#taken >= this.#limits.all) return false
    this.#taken += 1
    return true
  }

  giveBack(): void {
    this.#taken -= 1
  }

  /** False if the user already has the maximum number; otherwise the user's slot must be released as well. */
  takeFor(user: number): boolean {
    const count = this.#byUser.get(user) ?? 0
    if (count >= this.#limits.perUser) return false
    this.#byUser.set(user, count + 1)
    return true
  }

  giveBackFor(user: number): void {
    const count = this.#byUser.get(user) ?? 0
    if (count <= 1) this.#byUser.delete(user)
    else this.#byUser.set(user, count - 1)
  }
}
