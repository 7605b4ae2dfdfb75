import type { Page } from '@playwright/test'
import { createUser, searchUsers } from '@sluice/contract/routes/users'
import type { User } from '@sluice/contract/user'
import type { Workbench } from '@sluice/testkit/workbench'

export const PASSWORD = 'a password of users'

export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

let counter = 0
export const fresh = (stem: string) => `${stem}-${process.pid}-${(counter += 1)}`

export async function named({ root }: Workbench, username: string): Promise<User> {
  const users = await root.call(searchUsers, { query: { keyword: username } })
  const user = users.find((each) => each.username === username)
  if (user === undefined) throw new Error(`no user ${username}`)
  return user
}

export async function addUser(workbench: Workbench, username: string, quota = 1_000_000): Promise<User> {
  await workbench.root.call(createUser, { body: { username, password: PASSWORD, quota } })
  return await named(workbench, username)
}

/** Collects the bodies of calls from now on. */
export function bodiesOf(page: Page, method: string, path: string): readonly unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === method && new URL(request.url()).pathname === path) bodies.push(request.postDataJSON())
  })
  return bodies
}

/** Holds calls to a path back until they are released, so that the page can be checked meanwhile. */
export async function held(page: Page, path: string): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      await released
      await route.continue()
    },
  )
  return release
}
