/**
 * Places for what a process can hold a limited number of, so that one user cannot fill them all. A place is taken in two
 * steps, since it is known late whose it is.
 */
export class Places {
  private taken = 0
  private readonly byUser = new Map<number, number>()
  private readonly limits: { readonly all: number; readonly perUser: number }

  constructor(limits: { readonly all: number; readonly perUser: number }) {
    this.limits = limits
  }

  /** False when none is left. */
  take(): boolean {
    if (this.taken >= this.limits.all) return false
    this.taken += 1
    return true
  }

  giveBack(): void {
    this.taken -= 1
  }

  /** False when the user has as many as one may have; else to be given back as well. */
  takeFor(user: number): boolean {
    const count = this.byUser.get(user) ?? 0
    if (count >= this.limits.perUser) return false
    this.byUser.set(user, count + 1)
    return true
  }

  giveBackFor(user: number): void {
    const count = this.byUser.get(user) ?? 0
    if (count <= 1) this.byUser.delete(user)
    else this.byUser.set(user, count - 1)
  }
}
